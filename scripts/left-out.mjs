// Parts of packages that nothing here reaches, and that no bundler can tell are not reached.
import { ZodFirstPartyTypeKind } from 'zod/v3'

/** Zod can say what is wrong in forty languages. We show none of them, and each start would load them all. */
export const oneLanguage = {
  name: 'one-language',
  load: { filter: { id: /zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, handler: () => 'export {}' },
}

/** The packages of providers can read schemas of Zod 3, for which they want its names of kinds. All of ours are of Zod 4. */
export const noOldSchemas = {
  name: 'no-old-schemas',
  load: {
    filter: { id: /zod[\\/]v3[\\/]index\.js$/ },
    handler: () => `export const ZodFirstPartyTypeKind = ${JSON.stringify(ZodFirstPartyTypeKind)}`,
  },
}
