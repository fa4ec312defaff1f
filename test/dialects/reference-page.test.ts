import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { dialectNames } from '../../src/core/dialects/index.js'
import { toolcallCases } from './cases.js'

const page = readFileSync(new URL('../../docs/reference/dialects.md', import.meta.url), 'utf8')

it('the reference page has exactly one row per dialect', () => {
  const rows = page.split('\n').filter((line) => line.startsWith('| `'))
  const named = rows.flatMap((row) => [...row.split(' | ')[0].matchAll(/`([^`]+)`/g)].map(([, name]) => name))
  expect(named.sort()).toEqual([...dialectNames].sort())
})

it('every dialect has a case with a call', () => {
  const called = new Set(toolcallCases.filter(({ expected }) => expected.length > 0).map(({ format }) => format))
  // `use_tool` is the name of two formats, each with cases of its own.
  expect(dialectNames.filter((name) => !called.has(name) && name !== 'use_tool')).toEqual([])
})
