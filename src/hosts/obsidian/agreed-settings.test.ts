import { describe, expect, it } from 'vitest'
import { readPluginSettings } from '../../apps/obsidian/plugin-data.js'
import { agreedAfter, effectiveSettings, partsToAgree } from './agreed-settings.js'

const own = readPluginSettings({
  config: {
    consent: 'ask',
    exclude: ['Journal/'],
    permissions: { deny: ['reads(folder:Private)'], ask: ['writes(folder:Work)'], allow: ['append_note(Inbox/**)'] },
    web: { searchEngine: 'searxng', searchUrl: 'https://search.home.test/' },
    mcpServers: { wiki: { url: 'https://wiki.test/mcp' } },
  },
  addresses: { compatible: 'http://192.168.0.2:8080/v1' },
})
const agreed = partsToAgree(own)
const synced = (config: object, more: object = {}) =>
  readPluginSettings({ ...own, ...more, config: { ...own.config, ...config } })

describe('settings that come from another device', () => {
  it('are in force as they are where the user has set them here', () => {
    expect(effectiveSettings(own, agreed)).toEqual({ settings: own, waiting: [] })
  })

  it.each(['edit', 'auto'])('do not loosen the approval level to %s', (consent) => {
    const { settings, waiting } = effectiveSettings(synced({ consent }), agreed)
    expect([settings.config.consent, waiting]).toEqual(['ask', [`Approval level: ${consent}`]])
  })

  it.each(['ask-all', 'read-only', 'locked'])('tighten it to %s at once', (consent) =>
    expect(effectiveSettings(synced({ consent }), agreed)).toMatchObject({
      settings: { config: { consent } },
      waiting: [],
    }),
  )

  it('neither add allow rules nor remove other rules or exclusions, and may restrict more', () => {
    const permissions = { allow: ['append_note(Inbox/**)', 'writes(**)'], deny: ['delete_note'] }
    const { settings, waiting } = effectiveSettings(synced({ permissions, exclude: [] }), agreed)
    expect(settings.config).toMatchObject({
      exclude: ['Journal/'],
      permissions: {
        allow: ['append_note(Inbox/**)'],
        deny: ['delete_note', 'reads(folder:Private)'],
        ask: ['writes(folder:Work)'],
      },
    })
    expect(waiting).toEqual([
      'Always allow: writes(**)',
      'No longer under Never share: Journal/',
      'No longer under Never allow: reads(folder:Private)',
      'No longer under Always ask: writes(folder:Work)',
    ])
  })

  it('send notes and questions to no other address', () => {
    const web = { searchEngine: 'searxng', searchUrl: 'https://evil.test/' }
    const addresses = { compatible: 'https://evil.test/v1', openai: 'https://evil.test/v1' }
    const { settings, waiting } = effectiveSettings(synced({ web }, { addresses }), agreed)
    expect(settings.addresses).toEqual({ compatible: 'http://192.168.0.2:8080/v1' })
    expect(settings.config.web).toMatchObject({ searchUrl: 'https://search.home.test/' })
    expect(waiting).toHaveLength(3)
  })

  it('keep an address that was agreed to where they have none, as the usual one would get the notes', () => {
    const { settings, waiting } = effectiveSettings(synced({}, { addresses: {} }), agreed)
    expect(settings.addresses).toEqual(own.addresses)
    expect(waiting).toEqual(['No address of compatible instead of http://192.168.0.2:8080/v1'])
  })

  const answering = (model: string | undefined, addresses = own.addresses) => synced({ model }, { addresses })
  const cloud = { openai: 'openai/gpt-5', anthropic: 'anthropic/claude-sonnet-4-5' }

  it.each([
    ['the offline model', undefined, cloud.openai],
    ['a model on this device', 'ollama/qwen3:8b', cloud.openai],
    ['a model on this device', 'lmstudio/qwen3', 'compatible/qwen3'],
    ['another provider', cloud.openai, cloud.anthropic],
    ['another provider, in capitals', cloud.openai, ' Anthropic/claude-sonnet-4-5'],
    ['a server in the house', 'compatible/qwen3', 'openrouter/openai/gpt-5'],
  ])('keep %s (%s) and send nothing to %s', (_, mine, theirs) => {
    const { settings, waiting } = effectiveSettings(answering(theirs), partsToAgree(answering(mine)))
    expect(settings.config.model).toBe(mine)
    expect(waiting).toEqual([`Model: ${theirs}`])
    expect(effectiveSettings(answering(theirs), partsToAgree(answering(theirs)))).toEqual({
      settings: answering(theirs),
      waiting: [],
    })
  })

  it.each([
    [cloud.openai, 'openai/gpt-5-mini'],
    [cloud.openai, 'ollama/qwen3:8b'],
    [cloud.openai, 'offline'],
    ['ollama/qwen3:8b', 'lmstudio/qwen3'],
  ])('change the model %s to %s at once, as no other address gets notes by that', (mine, theirs) =>
    expect(effectiveSettings(answering(theirs), partsToAgree(answering(mine)))).toEqual({
      settings: answering(theirs),
      waiting: [],
    }),
  )

  it('count a local provider as another address where it has one on another machine', () => {
    const addresses = { ...own.addresses, ollama: 'http://gpu.test:11434' }
    const parts = partsToAgree(answering('lmstudio/qwen3', addresses))
    const { settings, waiting } = effectiveSettings(answering('ollama/qwen3:8b', addresses), parts)
    expect([settings.config.model, waiting]).toEqual(['lmstudio/qwen3', ['Model: ollama/qwen3:8b']])
  })

  it('choose no other provider for embeddings, and none where there was none', () => {
    const with_ = (model?: string) => synced(model === undefined ? {} : { embeddings: { model } })
    const theirs = with_('openai/text-embedding-3-small')
    for (const mine of [undefined, 'ollama/nomic-embed-text', 'gemini/gemini-embedding-001']) {
      const { settings, waiting } = effectiveSettings(theirs, partsToAgree(with_(mine)))
      expect(settings).toEqual(with_(mine))
      expect(waiting).toEqual(['Embeddings model: openai/text-embedding-3-small'])
    }
    expect(effectiveSettings(theirs, partsToAgree(theirs)).waiting).toEqual([])
  })

  it('neither loosen the approval level of a project nor give its notes to another provider', () => {
    const project = (says: object) => synced({ projects: { 'v1.2': { folders: ['Work'], ...says } } })
    const theirs = project({ consent: 'auto', model: cloud.openai })
    expect(effectiveSettings(theirs, agreed)).toEqual({
      settings: project({}),
      waiting: ['Approval level of the project v1.2: auto', `Model of the project v1.2: ${cloud.openai}`],
    })
    const mine = project({ consent: 'edit', model: cloud.anthropic })
    expect(effectiveSettings(theirs, partsToAgree(mine)).settings).toEqual(mine)
    expect(effectiveSettings(theirs, partsToAgree(theirs))).toEqual({ settings: theirs, waiting: [] })
    const stricter = project({ consent: 'read-only', model: 'offline' })
    expect(effectiveSettings(stricter, agreed)).toEqual({ settings: stricter, waiting: [] })
  })

  it('let a project have no looser level than the one in force, also where that is strict', () => {
    const strict = synced({ consent: 'read-only' })
    const theirs = synced({ consent: 'read-only', projects: { work: { consent: 'ask' } } })
    expect(effectiveSettings(theirs, partsToAgree(strict)).waiting).toEqual(['Approval level of the project work: ask'])
  })

  it('are the usual ones on a device where nothing was agreed to', () => {
    const { settings, waiting } = effectiveSettings(
      synced({ consent: 'auto', permissions: { allow: ['writes(**)'] } }),
      {},
    )
    expect(settings.config).not.toHaveProperty('consent')
    expect(JSON.stringify(settings)).not.toMatch(/writes\(\*\*\)|192\.168|search\.home/)
    expect(waiting).toHaveLength(4)
  })

  it('count once the user agrees, and what is changed here is agreed to by that alone', () => {
    const theirs = synced({ consent: 'auto' }, { addresses: { compatible: 'https://evil.test/v1' } })
    expect(effectiveSettings(theirs, partsToAgree(theirs)).waiting).toEqual([])
    // Changing another setting does not agree to the waiting ones.
    const changed = synced({ consent: 'auto', exclude: [] }, { addresses: theirs.addresses, debug: true })
    const now = agreedAfter(agreed, theirs, changed)
    expect(effectiveSettings(changed, now)).toMatchObject({
      settings: { config: { consent: 'ask', exclude: [] }, addresses: own.addresses },
    })
  })
})
