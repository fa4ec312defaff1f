// Failures are thrown: a Failure with a code and a hint, or the reason of an aborted signal.
import { Failure, openVault } from 'notewright'

const vault = await openVault('Notes')
try {
  await vault.read('Tomatos')
} catch (error) {
  if (!(error instanceof Failure)) throw error
  console.log(`${error.code}: ${error.message} ${error.hint}`)
}

try {
  await vault.ask('When do we sow tomatoes?', { signal: AbortSignal.abort(new Error('Not now.')) })
} catch (error) {
  console.log(`Stopped: ${(error as Error).message}`)
} finally {
  await vault.close()
}
