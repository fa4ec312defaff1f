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
  const { add, sum } = summing()
  const see = (file: FileStamp) => {
    add(file)
    files.push(file)
  }
  await vault.eachFile(see, { signal })
  return { files, sum: sum() }
}

/** Enough to tell whether anything has changed. Nothing is kept, so that it takes little more than asking the disk. */
export async function sumVault(vault: Vault): Promise<ListingSum> {
  const { add, sum } = summing()
  await vault.eachFile(add, { isGlance: true })
  return sum()
}
