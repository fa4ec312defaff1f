import { execFileSync } from 'node:child_process'
import { cpus, platform, release, totalmem } from 'node:os'
import { repository } from './data.mjs'

/** Describes the machine that the figures were measured on. */
export function describeMachine() {
  const processors = cpus()
  return {
    cpu: processors[0]?.model.trim() || process.arch,
    cores: processors.length,
    memoryGB: Math.round(totalmem() / 2 ** 30),
    system: `${platform()} ${release()}`,
    node: process.version,
  }
}

export function describeCommit() {
  const git = (...args) => execFileSync('git', args, { cwd: repository, encoding: 'utf8' }).trim()
  try {
    return {
      commit: git('rev-parse', '--short=10', 'HEAD'),
      hasUncommittedChanges: git('status', '--porcelain', 'src') !== '',
    }
  } catch {
    return { commit: 'unknown', hasUncommittedChanges: false }
  }
}
