import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    // Most tests wait for processes and disks, so a core is never kept free.
    maxWorkers: Math.max(2, availableParallelism()),
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // No test puts anything into the trash of whoever runs it.
    env: { XDG_DATA_HOME: join(tmpdir(), 'notewright-test-data') },
  },
})
