import type { FileStamp, Vault } from '../vault/index.js'
import { type ListingSum, summing } from './listing-sum.js'

/** One look at the whole vault. */
export interface Listing {
  /** In whatever order they were met. */
  files: FileStamp[]
  sum: ListingSum
}

export async function listVault(vault: Vault, signal?: AbortSignal): Promise<Listing> {
  const files: FileStamp[] = []
  const sum = await sumVault(vault, signal, (file) => files.push(file))
  return { files, sum }
}

/** Enough to tell whether anything has changed. Nothing is kept, so that it takes little more than asking the disk. */
export async function sumVault(
  vault: Vault,
  signal?: AbortSignal,
  see?: (file: FileStamp) => void,
): Promise<ListingSum> {
  const { add, sum } = summing()
  await vault.eachFile((file) => {
    add(file)
    see?.(file)
  }, signal)
  return sum()
}
