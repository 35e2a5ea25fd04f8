import type { Output } from '@qatra/contract/endpoint'
import { MAX_UPLOAD_BYTES, type uploadConversationFile } from '@qatra/contract/whatsapp/inbox/files'
import type { Db } from '../database/db.ts'
import type { JobContext } from '../database/transaction.ts'
import { AppError } from '../lib/errors.ts'
import { storeMedia } from '../media/commands.ts'
import { type FileKind, fileTypeOf, isFileType, kindOf, secondsOf } from '../media/file-kind.ts'
import { reencodePicture } from '../media/picture.ts'
import { readMedia } from '../media/queries.ts'
import { isWebm, oggFromWebm } from '../media/webm-opus.ts'
import type { MediaMessage } from '../providers/message.ts'
import type { NewFile } from './files.commands.ts'
import { messageFiles } from './tables.ts'

type SendableKind = FileKind | 'image'

const kindOfMedia = (mimeType: string): SendableKind => (isFileType(mimeType) ? kindOf(mimeType) : 'image')

/** A file for a customer: pictures re-encoded, recordings of a browser in the container that WhatsApp takes. */
export async function fileToSend(given: Buffer): Promise<NewFile | 'kind' | 'broken' | 'large'> {
  if (given.length > MAX_UPLOAD_BYTES) return 'large'
  const bytes = isWebm(given) ? oggFromWebm(given) : given
  if (!bytes) return 'kind'
  const mimeType = fileTypeOf(bytes)
  if (mimeType !== null) return { bytes, mimeType, seconds: secondsOf(bytes, mimeType) }
  const picture = await reencodePicture(bytes)
  if (typeof picture !== 'string') return picture
  return picture === 'kind' ? 'kind' : 'broken'
}

/**
 * Stores a file for a reply, which names it by its hash. The daily purge deletes files that no message has.
 * @throws FILE_REFUSED
 */
export async function storeFileToSend(
  { db }: { db: Db },
  given: Uint8Array,
): Promise<Output<typeof uploadConversationFile>> {
  const file = await fileToSend(Buffer.from(given.buffer, given.byteOffset, given.byteLength))
  if (typeof file === 'string') throw new AppError('FILE_REFUSED', { problem: file })
  const { bytes, mimeType } = file
  const sha256 = await storeMedia(db, file, 'private')
  return { sha256, type: kindOfMedia(mimeType), mimeType, size: bytes.length, seconds: file.seconds ?? null }
}

/** The message with an uploaded file. @throws FILE_GONE */
export async function messageWithFile(
  { db }: { db: Db },
  { sha256, filename, isVoice }: { sha256: string; filename?: string | undefined; isVoice?: boolean | undefined },
  caption: string | undefined,
): Promise<MediaMessage> {
  const found = await readMedia(db, sha256)
  if (!found) throw new AppError('FILE_GONE')
  const type = kindOfMedia(found.mimeType)
  const isRecorded = type === 'audio' && isVoice === true && found.mimeType === 'audio/ogg'
  return {
    type,
    file: { sha256, mimeType: found.mimeType },
    ...(caption && type !== 'audio' ? { caption } : {}),
    ...(filename && type === 'document' ? { filename } : {}),
    ...(isRecorded ? { isVoice: true } : {}),
  }
}

/** Attaches the stored file to the message that sends it, so that both are deleted together. */
export async function attachFile(ctx: JobContext, messageId: number, message: MediaMessage): Promise<void> {
  if (!message.file) return
  const { sha256, mimeType } = message.file
  const found = await readMedia(ctx.db, sha256)
  if (!found) throw new AppError('FILE_GONE')
  const seconds = isFileType(mimeType) ? secondsOf(found.bytes, mimeType) : null
  await ctx.db
    .insert(messageFiles)
    .values({ messageId, sha256, size: found.bytes.length, seconds })
    .onConflictDoNothing()
}
