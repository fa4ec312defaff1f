import { fileURLToPath } from 'node:url'
import { defineConfig } from 'eslint/config'
import obsidianmd from 'eslint-plugin-obsidianmd'

/** The recommended rules as they are. One project with a browser's types, as the plugin is made of it, is read once. */
export default defineConfig([
  { ignores: ['**/*.test.ts', '**/*.d.ts'] },
  ...obsidianmd.configs.recommended,
  { languageOptions: { parserOptions: { project: fileURLToPath(new URL('tsconfig.json', import.meta.url)) } } },
])
