import * as z from 'zod/mini'

/** An uploaded file: a part of a form, or the raw request body, which has no name. */
export interface UploadedFile {
  name: string | null
  type: string
  bytes: Uint8Array
}

export const uploadedFile = z.custom<UploadedFile>(
  (value) => typeof value === 'object' && value !== null && 'bytes' in value && value.bytes instanceof Uint8Array,
  'validation.required',
)
