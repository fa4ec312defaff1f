import type { Programs } from './programs.js'

/**
 * Ends a group of processes when this one is gone, however it went: nothing of ours runs any more after SIGKILL. A shell
 * waits for the end of a pipe that only we hold; what it runs is written here. Answers how to call it off.
 */
export function endWithUs(group: number, { platform, spawn }: Programs): () => void {
  if (platform === 'win32') return () => {}
  // A server that listens for the end of its own input has a second to finish by itself.
  const script = 'read -r _; sleep 1; kill -s KILL -- "-$0"'
  const guard = spawn('/bin/sh', ['-c', script, String(group)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    shell: false,
    windowsHide: true,
  })
  guard.once('error', () => {})
  guard.stdin.on('error', () => {})
  guard.unref()
  // A pipe to a child is a socket in Node, which its types do not say.
  ;(guard.stdin as { unref?: () => void }).unref?.()
  return () => void guard.kill('SIGKILL')
}
