import { randomBytes } from 'node:crypto'

const MAX_KEPT = 5_000
const own = new Set<string>()

/**
 * Id of a message that this process sends, in WhatsApp's format. The device reports sent messages like those of the
 * shop's phone, often before the answer to the sending.
 */
export function newOwnId(): string {
  const id = `3EB0${randomBytes(9).toString('hex').toUpperCase()}`
  own.add(id)
  const [oldest] = own
  if (own.size > MAX_KEPT && oldest !== undefined) own.delete(oldest)
  return id
}

export const isOwnId = (id: string): boolean => own.has(id)
