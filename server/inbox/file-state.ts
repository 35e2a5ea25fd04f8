import type { FileProblem, MessageFile, MessageParts } from '@qatra/contract/whatsapp/inbox/message'
import { typesWithFile } from '../conversations/received.ts'

interface Found {
  isKept: boolean
  mimeType: string | null
  size: number | null
  seconds: number | null
  problem: FileProblem | null
}

interface Carrying {
  direction: 'incoming' | 'outgoing'
  channel: string
  messageType: string
  sentByType: string
  payload: unknown
}

/** After this long the fetching job has given up. */
const MAX_FETCH_SECONDS = 15 * 60
/** Meta stores customers' files for 30 days. */
const KEPT_SECONDS = 30 * 86_400

/**
 * State of a message's file, `age` seconds after it was requested; null for messages without a file and channels that
 * provide none.
 */
export function fileOf(message: Carrying, found: Found | null, age: number): Pick<MessageParts, 'file'> {
  if (message.channel !== 'whatsapp' || !typesWithFile.includes(message.messageType)) return {}
  // Replies have their file from the start.
  const isFetched = message.direction === 'incoming' || message.sentByType === 'phone'
  if (!isFetched) return found?.isKept ? { file: stateOf(found, age) } : {}
  return { file: stateOf(found ?? (hasMedia(message.payload) ? nothing : { ...nothing, problem: 'gone' }), age) }
}

const hasMedia = (payload: unknown) =>
  typeof payload === 'object' && payload !== null && 'mediaId' in payload && Boolean(payload.mediaId)

const nothing: Found = { isKept: false, mimeType: null, size: null, seconds: null, problem: null }

function stateOf({ isKept, mimeType, size, seconds, problem: noted }: Found, age: number): MessageFile {
  if (isKept) return { state: 'kept', mimeType, size, seconds, problem: null, mayRetry: false }
  const problem = noted ?? (age > MAX_FETCH_SECONDS ? 'away' : null)
  const named = { mimeType: null, size, seconds: null }
  if (problem === null) return { ...named, state: 'fetching', problem, mayRetry: false }
  const isThere = problem === 'away' || problem === 'much'
  if (isThere && age > KEPT_SECONDS) return { ...named, state: 'named', problem: 'gone', mayRetry: false }
  return { ...named, state: 'named', problem, mayRetry: isThere }
}
