import * as z from 'zod/mini'

/** A file as it arrived: from a form, or as the body itself; then it has no name. */
export interface UploadedFile {
  name: string | null
  type: string
  bytes: Uint8Array
}

export const uploadedFile = z.custom<UploadedFile>(
  (value) => typeof value === 'object' && value !== null && 'bytes' in value && value.bytes instanceof Uint8Array,
  'validation.required',
)
