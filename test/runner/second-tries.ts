import type { Reporter, TestModule } from 'vitest/node'

/** Lists the tests that failed at first and passed when they were tried again, so that an unstable test is seen and fixed. */
export class SecondTries implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const unstable = modules.flatMap((module) =>
      [...module.children.allTests()]
        .filter((test) => test.diagnostic()?.flaky)
        .map((test) => `  ${module.relativeModuleId} > ${test.fullName}`),
    )
    if (unstable.length > 0) process.stdout.write(['Passed only when tried again:', ...unstable, ''].join('\n'))
  }
}
