import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { configDefaults, defineConfig } from 'vitest/config'
import { FailedFiles } from './test/runner/failed-files.js'

// No test puts anything into the trash of whoever runs it.
const env = { XDG_DATA_HOME: join(tmpdir(), 'notewright-test-data') }

/** Test files whose text matches. */
const testsWith = (pattern: RegExp): string[] =>
  ['src', 'test']
    .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)))
    .filter((file) => file.endsWith('.test.ts') && pattern.test(readFileSync(file, 'utf8')))
    .map((file) => file.replaceAll('\\', '/'))

/** Tests that ask how often they shall try something: `npm run test:all` has time for more. */
const asking = testsWith(/from '[./a-z]+\/how-often\.js'/)

/** Tests that replace a module. Files that share what they import would get the replacement, or miss it. */
const mocking = testsWith(/^\s*vi\.mock\(/m)

export default defineConfig({
  // The app's own module exists in the app alone.
  resolve: { alias: { obsidian: join(import.meta.dirname, 'test/obsidian-host/node-obsidian.mjs') } },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  test: {
    // Most tests wait for processes and disks, so a core is never kept free.
    maxWorkers: Math.max(2, availableParallelism()),
    setupFiles: ['test/runner/seed.ts'],
    reporters: [new FailedFiles(), 'default'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // What must happen at some time may take long on a busy machine.
    expect: { poll: { timeout: 20_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'core',
          include: ['src/core/**/*.test.ts'],
          exclude: [...configDefaults.exclude, '**/*.slow.test.ts', ...mocking],
          // Nothing outlives a test, so its files can share what they import: loading it for each file took more time than
          // the tests themselves.
          isolate: false,
          env,
        },
      },
      {
        extends: true,
        test: {
          name: 'quick',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, '**/*.slow.test.ts', 'test/peers/**', 'src/core/**', ...mocking],
          isolate: false,
          env,
        },
      },
      {
        extends: true,
        test: { name: 'mocked', include: mocking, exclude: [...configDefaults.exclude, '**/*.slow.test.ts'], env },
      },
      {
        extends: true,
        test: {
          name: 'slow',
          include: ['src/**/*.slow.test.ts', 'test/**/*.slow.test.ts', ...asking],
          env: { ...env, NOTEWRIGHT_TESTS: 'slow' },
          testTimeout: 300_000,
          hookTimeout: 300_000,
          expect: { poll: { timeout: 60_000 } },
        },
      },
      {
        extends: true,
        test: { name: 'peers', include: ['test/peers/**/*.test.ts'], env, testTimeout: 120_000, hookTimeout: 120_000 },
      },
    ],
  },
})
