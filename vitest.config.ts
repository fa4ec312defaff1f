import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { configDefaults, defineConfig } from 'vitest/config'

// No test puts anything into the trash of whoever runs it.
const env = { XDG_DATA_HOME: join(tmpdir(), 'notewright-test-data') }

/** Tests that ask how often they shall try something: `npm run test:all` has time for more. */
const asking = ['src', 'test']
  .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)))
  .filter((file) => file.endsWith('.test.ts') && /from '[./a-z]+\/how-often\.js'/.test(readFileSync(file, 'utf8')))
  .map((file) => file.replaceAll('\\', '/'))

export default defineConfig({
  test: {
    // Most tests wait for processes and disks, so a core is never kept free.
    maxWorkers: Math.max(2, availableParallelism()),
    setupFiles: ['test/seed.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // What must happen at some time may take long on a busy machine.
    expect: { poll: { timeout: 20_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'core',
          include: ['src/core/**/*.test.ts'],
          exclude: [...configDefaults.exclude, '**/*.slow.test.ts'],
          // Nothing in the core outlives a test, so that its files can share what they import: loading it anew for each
          // took more than the tests themselves.
          isolate: false,
          env,
        },
      },
      {
        extends: true,
        test: {
          name: 'quick',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, '**/*.slow.test.ts', 'test/peers/**', 'src/core/**'],
          env,
        },
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
