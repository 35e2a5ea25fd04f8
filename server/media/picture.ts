import type { Sharp } from 'sharp'
import { createSemaphore } from '../lib/concurrency.ts'
import { endingOf, isFileType } from './file-kind.ts'

export type PictureProblem = 'kind' | 'pixels' | 'broken'

export interface Picture {
  bytes: Buffer
  mimeType: 'image/webp'
  width: number
  height: number
}

/** Largest size that the site shows. */
const MAX_SIDE = 1_000
/** More than phone cameras produce; limits the memory for decoding. */
const MAX_PIXELS = 40_000_000
/** For formats that cannot be decoded line by line. */
const MAX_PIXELS_UNSTREAMED = 12_000_000
const SECONDS = 5
/** One at a time, to bound the memory of decoding. */
const decoding = createSemaphore({ permits: 1, maxWaiting: 20 })

const ascii = (bytes: Uint8Array, from: number, to: number) => String.fromCharCode(...bytes.subarray(from, to))

/** By magic bytes, not by name. SVG can contain scripts and is not accepted. */
function isPicture(bytes: Uint8Array): boolean {
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return true
  if (bytes[0] === 0x89 && ascii(bytes, 1, 8) === 'PNG\r\n\u001a\n') return true
  if (ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 12) === 'WEBP') return true
  if (/^GIF8[79]a$/.test(ascii(bytes, 0, 6))) return true
  return ascii(bytes, 4, 12) === 'ftypavif'
}

/**
 * Re-encodes the pixels, rotated upright and scaled down. Drops metadata such as the location, and data hidden in the
 * file. @throws UNAVAILABLE if too many pictures wait
 */
export async function reencodePicture(bytes: Uint8Array): Promise<Picture | PictureProblem> {
  return isPicture(bytes) ? decoding.run(() => reencode(bytes)) : 'kind'
}

const JPEG = 'image/jpeg'

/** Stored pictures as JPEG, since WhatsApp and Telegram take WebP for stickers; other files as they are. */
export async function sendableMedia(file: { bytes: Buffer; mimeType: string }): Promise<typeof file> {
  if (file.mimeType !== 'image/webp') return file
  const { default: sharp } = await import('sharp')
  // Transparent parts would become black.
  const jpeg = () => sharp(file.bytes).flatten({ background: '#ffffff' }).jpeg({ quality: 88 }).toBuffer()
  return { bytes: await decoding.run(jpeg), mimeType: JPEG }
}

export const endingOfMedia = (mimeType: string): string =>
  mimeType === JPEG ? 'jpg' : isFileType(mimeType) ? endingOf(mimeType) : 'bin'

async function reencode(bytes: Uint8Array): Promise<Picture | PictureProblem> {
  // Loaded on first use to save memory.
  const { default: sharp } = await import('sharp')
  sharp.cache(false)
  sharp.concurrency(1)
  const open = (): Sharp => sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error', sequentialRead: true })
  try {
    const { width, height, isProgressive, format } = await open().metadata()
    const isWhole = isProgressive || format === 'gif' || format === 'heif' || format === 'webp'
    if (width * height > (isWhole ? MAX_PIXELS_UNSTREAMED : MAX_PIXELS)) return 'pixels'
    const { data, info } = await open()
      .timeout({ seconds: SECONDS })
      .autoOrient()
      .resize({ width: MAX_SIDE, height: MAX_SIDE, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 82, effort: 4 })
      .toBuffer({ resolveWithObject: true })
    return { bytes: data, mimeType: 'image/webp', width: info.width, height: info.height }
  } catch (error) {
    return error instanceof Error && /pixel limit/i.test(error.message) ? 'pixels' : 'broken'
  }
}
