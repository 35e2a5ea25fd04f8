import { MAX_UPLOAD_BYTES, uploadConversationFile } from '@qatra/contract/whatsapp/inbox/files'
import { createAtom } from '@tanstack/react-store'
import { sendFile } from '../../../lib/send-file.ts'

/** A file that waits in the reply field or is being sent. */
export interface OutgoingFile {
  key: string
  file: File
  /** Recorded here, to be sent as a voice message. */
  isVoice: boolean
  /** Data address of a picture; null for other files and large pictures. */
  preview: string | null
}

/** Types that the file chooser offers; the server detects the type by contents. */
export const ACCEPTED =
  'image/jpeg,image/png,image/webp,image/gif,image/avif,audio/ogg,audio/mpeg,audio/mp4,audio/aac,video/mp4,video/3gpp,application/pdf,.docx,.xlsx,.pptx'
export const MAX_FILES = 10
const MAX_PREVIEW_BYTES = 8 * 1024 * 1024

export const isTooLarge = ({ size }: File) => size > MAX_UPLOAD_BYTES

export async function prepareFile(file: File, isVoice = false): Promise<OutgoingFile> {
  const isShown = file.type.startsWith('image/') && file.size <= MAX_PREVIEW_BYTES
  return { key: crypto.randomUUID(), file, isVoice, preview: isShown ? await dataAddress(file) : null }
}

const dataAddress = (file: File) =>
  new Promise<string | null>((resolve) => {
    const reader = new FileReader()
    reader.onload = () => resolve(typeof reader.result === 'string' ? reader.result : null)
    reader.onerror = () => resolve(null)
    reader.readAsDataURL(file)
  })

/** Share of the uploaded bytes, by key. */
export const progressOf = createAtom<Readonly<Record<string, number>>>({})
const setProgress = (key: string, value: number | null) =>
  progressOf.set(({ [key]: _, ...others }) => (value === null ? others : { ...others, [key]: value }))

/** Hashes of uploaded files, so that a retry uploads nothing again. */
const uploaded = new WeakMap<File, string>()
export const forgetUpload = ({ file }: OutgoingFile) => void uploaded.delete(file)

/** @throws CallError */
export async function uploadFile({ key, file }: OutgoingFile): Promise<string> {
  const known = uploaded.get(file)
  if (known) return known
  try {
    const onProgress = (sent: number) => setProgress(key, sent)
    const { sha256 } = await sendFile(uploadConversationFile, { file, onProgress })
    uploaded.set(file, sha256)
    return sha256
  } finally {
    setProgress(key, null)
  }
}
