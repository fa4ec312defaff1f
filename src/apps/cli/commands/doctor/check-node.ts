import type { Finding } from './finding.js'

const [neededMajor, neededMinor] = [20, 19]

export function checkNode(version: string): Finding {
  const [major, minor] = version.split('.').map(Number)
  const isEnough = major > neededMajor || (major === neededMajor && minor >= neededMinor)
  return isEnough
    ? { subject: 'Node.js', state: 'ok', text: version }
    : {
        subject: 'Node.js',
        state: 'fail',
        text: `${version} is too old`,
        advice: `Install Node.js ${neededMajor}.${neededMinor} or newer.`,
      }
}
