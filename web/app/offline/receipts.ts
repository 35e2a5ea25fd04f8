import { saveFile } from '../../lib/save-file.ts'
import { openCache } from '../../lib/site-data.ts'
import { receiptCacheName } from '../session/personal-storage.ts'

const MAX_RECEIPTS = 20

/** Keeps a receipt for reading without a network, once. Deleted with the sign-out (personal-storage.ts). */
export async function keepReceipt(address: string): Promise<void> {
  const cache = await openCache(receiptCacheName)
  if (!cache || (await cache.match(address))) return
  const answer = await fetch(address)
  if (!answer.ok) return
  await cache.put(address, answer)
  const [oldest, ...others] = await cache.keys()
  if (oldest && others.length >= MAX_RECEIPTS) await cache.delete(oldest)
}

/** Saves the kept receipt as a file; false if there is none. */
export async function saveKeptReceipt(address: string, name: string): Promise<boolean> {
  const kept = await (await openCache(receiptCacheName))?.match(address)
  if (!kept) return false
  saveFile(name, await kept.blob())
  return true
}
