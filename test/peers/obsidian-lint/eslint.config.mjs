import { fileURLToPath } from 'node:url'
import { defineConfig } from 'eslint/config'
import obsidianmd from 'eslint-plugin-obsidianmd'

const file = (name) => fileURLToPath(new URL(name, import.meta.url))

/** The recommended rules as they are, with a browser's types. The core is compiled with stricter options than the rest. */
export default defineConfig([
  { ignores: ['**/*.test.ts', '**/*.d.ts'] },
  ...obsidianmd.configs.recommended,
  { languageOptions: { parserOptions: { project: [file('tsconfig.core.json'), file('tsconfig.json')] } } },
])
