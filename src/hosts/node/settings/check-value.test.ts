import { expect, it } from 'vitest'
import { checkValue } from './check-value.js'

it.each([
  ['model', 'ollam/qwen3:8b', 'Unknown provider: ollam'],
  ['model', 'qwen3', 'Model names have the form provider/model'],
  ['embeddings.model', 'nonsense', 'Model names have the form provider/model'],
  ['embeddings.model', 'anthropic/claude-sonnet-4-5', 'has no embeddings models'],
  ['dialect', 'klingon', 'The dialect klingon cannot be set for a model.'],
  ['permissions.deny', ['reads(folder:'], 'reads(folder:'],
  ['permissions.allow', ['raed_note'], 'raed_note'],
  ['tools.enabled', ['search_notes', 'raed_note'], 'Unknown tool: raed_note'],
  ['tools.raed_note.guidance', 'Gently.', 'Unknown tool: raed_note'],
  ['web.searchUrl', 'ftp://example.org', 'must start with http'],
])('%s cannot be %j', (key, value, why) => expect(() => checkValue(key, value)).toThrow(why))

it('a vault must be an existing folder', () => {
  expect(() => checkValue('vault', '/nowhere/at/all', '/nowhere/at/all')).toThrow('Vault folder not found')
  expect(() => checkValue('vault', import.meta.filename, import.meta.filename)).toThrow('Vault is not a folder')
})

it.each([
  ['model', 'offline'],
  ['model', 'ollama/qwen3:8b'],
  ['embeddings.model', 'compatible/any'],
  ['dialect', 'native'],
  ['dialect', 'use_tool'],
  ['permissions.deny', ['reads(folder:Private)']],
  ['tools.enabled', ['search_notes', 'files/read']],
  ['tools.read_note.guidance', 'Gently.'],
  ['web.searchUrl', 'http://127.0.0.1:8888'],
  ['search.limit', 20],
])('%s can be %j', (key, value) => expect(() => checkValue(key, value)).not.toThrow())
