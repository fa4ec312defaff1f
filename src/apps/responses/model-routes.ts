import type { Hono } from 'hono'
import { refusal, type ServerEnv } from '../server/index.js'
import type { Endpoint } from './endpoint.js'
import { vaultModels } from './vault/vault-models.js'
import { nowSeconds } from './wire/response-object.js'

/** The models that a client can pick from a list. */
export function modelRoutes(routes: Hono<ServerEnv>, { setup }: Endpoint): void {
  const created = nowSeconds()
  const models = () => modelNames(setup).map((id) => ({ id, object: 'model', created, owned_by: id.split('/')[0] }))
  routes.get('/models', (c) => c.json({ object: 'list', data: models() }))
  // A model's name has slashes of its own.
  routes.get('/models/:id{.+}', (c) => {
    const id = c.req.param('id')
    const found = models().find((model) => model.id === id)
    if (found !== undefined) return c.json(found)
    const message = `There is no model ${id.slice(0, 80)} here.`
    throw refusal({ status: 404, code: 'model_not_found', param: 'model', message })
  })
}

function modelNames({ backend, vault }: Endpoint['setup']): string[] {
  return [...(vault ? Object.keys(vaultModels) : []), ...(backend ? [backend] : [])]
}
