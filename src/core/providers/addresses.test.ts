import { describe, expect, it } from 'vitest'
import { displayAddress, isLoopback, ollamaHost } from './addresses.js'
import { findProvider, providerAddress } from './connect.js'

const address = (id: string, environment: Record<string, string>) => providerAddress(findProvider(id), environment)

describe('OLLAMA_HOST', () => {
  it.each([
    ['127.0.0.1', 'http://127.0.0.1:11434/v1'],
    ['localhost:8080', 'http://localhost:8080/v1'],
    ['0.0.0.0', 'http://127.0.0.1:11434/v1'],
    ['0.0.0.0:5000', 'http://127.0.0.1:5000/v1'],
    ['http://0.0.0.0:11434', 'http://127.0.0.1:11434/v1'],
    [':5000', 'http://127.0.0.1:5000/v1'],
    ['::', 'http://[::1]:11434/v1'],
    ['[::]:5000', 'http://[::1]:5000/v1'],
    ['[::1]', 'http://[::1]:11434/v1'],
    ['my-server', 'http://my-server:11434/v1'],
    ['http://my-server', 'http://my-server/v1'],
    ['https://my-server/', 'https://my-server/v1'],
    ['https://my-server:8443/ollama', 'https://my-server:8443/ollama/v1'],
    ['http://127.0.0.1:11434/v1/', 'http://127.0.0.1:11434/v1'],
    [' 127.0.0.1:1 ', 'http://127.0.0.1:1/v1'],
  ])('%s leads to %s', (text, url) => {
    expect(ollamaHost(text)).toBe(url)
  })

  it.each(['a b', 'localhost:99999'])('%s is refused by name', (text) => {
    expect(() => ollamaHost(text)).toThrow(/OLLAMA_HOST is not a valid web address/)
  })
})

describe('base URLs', () => {
  it.each([
    ['openai', 'OPENAI_BASE_URL', 'https://api.openai.com/v1'],
    ['anthropic', 'ANTHROPIC_BASE_URL', 'https://api.anthropic.com/v1'],
    ['gemini', 'GEMINI_BASE_URL', 'https://generativelanguage.googleapis.com/v1beta'],
    ['openrouter', 'OPENROUTER_BASE_URL', 'https://openrouter.ai/api/v1'],
    ['lmstudio', 'LMSTUDIO_BASE_URL', 'http://127.0.0.1:1234/v1'],
    ['compatible', 'NOTEWRIGHT_COMPATIBLE_URL', undefined],
  ])('of %s: %s overrides the default', (id, variable, usual) => {
    expect(address(id, {})).toBe(usual)
    expect(address(id, { [variable]: '' })).toBe(usual)
    const version = usual === undefined ? '/v1' : new URL(usual).pathname
    for (const given of [
      'http://127.0.0.1:9',
      'http://127.0.0.1:9/',
      `127.0.0.1:9${version}`,
      `http://127.0.0.1:9${version}/`,
    ]) {
      expect([given, address(id, { [variable]: given })]).toEqual([given, `http://127.0.0.1:9${version}`])
    }
    expect(() => address(id, { [variable]: 'file:///etc/passwd' })).toThrow(variable)
  })

  it('keep a path of their own', () => {
    expect(address('openai', { OPENAI_BASE_URL: 'https://proxy.example/llm/openai' })).toBe(
      'https://proxy.example/llm/openai',
    )
    expect(address('anthropic', { ANTHROPIC_BASE_URL: 'https://proxy.example/claude' })).toBe(
      'https://proxy.example/claude/v1',
    )
    expect(address('openrouter', { OPENROUTER_BASE_URL: 'https://proxy.example/api' })).toBe(
      'https://proxy.example/api/v1',
    )
  })

  it('are displayed without credentials', () => {
    expect(displayAddress('http://ada:secret@127.0.0.1:9/v1')).toBe('http://127.0.0.1:9')
  })
})

it('knows this machine by its names', () => {
  for (const url of ['http://127.0.0.1:1/v1', 'http://localhost', 'http://[::1]:2', 'http://127.8.8.8']) {
    expect([url, isLoopback(url)]).toEqual([url, true])
  }
  for (const url of ['http://127.0.0.1.example.org', 'http://10.0.0.1', 'http://localhost.example.org', 'x']) {
    expect([url, isLoopback(url)]).toEqual([url, false])
  }
})
