import * as z from 'zod/mini'

const texts = z.record(z.string(), z.string())

const shared = {
  disabled: z.optional(z.boolean()),
  timeoutMs: z.optional(z.int().check(z.minimum(100), z.maximum(3_600_000))),
}

/** A program that is started and spoken to over its standard input and output. */
const localServer = z.strictObject({
  type: z.optional(z.literal('stdio')),
  command: z.string().check(z.minLength(1)),
  args: z.optional(z.array(z.string())),
  env: z.optional(texts),
  ...shared,
})

/** With variables in it, it is known only when it is used. */
const webAddress = z.string().check(z.refine((text) => /\$\{/.test(text) || /^https?:\/\/[^/\s]/i.test(text)))

/** A server at a web address. */
const remoteServer = z.strictObject({
  type: z.optional(z.enum(['http', 'streamable-http'])),
  url: webAddress,
  headers: z.optional(texts),
  ...shared,
})

/** One entry of `mcpServers`, as the configuration of other programs has it. */
export const serverSetting = z.union([localServer, remoteServer])
export type ServerSetting = z.infer<typeof serverSetting>

/** Servers by name: what a rule can say as `mcp(server/tool)`. */
export const serverSettings = z.record(z.string().check(z.regex(/^[A-Za-z0-9][\w.-]{0,39}$/)), serverSetting)
