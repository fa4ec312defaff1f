import { addStamp, emptyListing, type FileStamp, type ListingSum, type Vault } from '../vault/index.js'

/** One look at the whole vault. */
export interface Listing {
  /** In whatever order they were met. */
  files: FileStamp[]
  sum: ListingSum
}

export async function listVault(vault: Vault, signal?: AbortSignal): Promise<Listing> {
  const files: FileStamp[] = []
  await vault.eachFile((file) => files.push(file), signal)
  return { files, sum: files.reduce(addStamp, emptyListing) }
}
