import type { Sharp } from 'sharp'
import { createSemaphore } from '../lib/concurrency.ts'
import { endingOf, isFileType } from './file-kind.ts'

export type PictureProblem = 'kind' | 'pixels' | 'broken'

export interface Picture {
  bytes: Buffer
  mimeType: 'image/webp' | 'image/jpeg'
  width: number
  height: number
}

type Format = Picture['mimeType']
/** Largest size that the site shows, and that phones show of a message's heading. */
const maxSide: Readonly<Record<Format, number>> = { 'image/webp': 1_000, 'image/jpeg': 1_600 }
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
export async function reencodePicture(
  bytes: Uint8Array,
  format: Format = 'image/webp',
): Promise<Picture | PictureProblem> {
  return isPicture(bytes) ? decoding.run(() => reencode(bytes, format)) : 'kind'
}

const JPEG = 'image/jpeg'
// Transparent parts would become black.
const asJpeg = (picture: Sharp) => picture.flatten({ background: '#ffffff' }).jpeg({ quality: 88 })

/** Stored pictures as JPEG, since WhatsApp and Telegram take WebP for stickers; other files as they are. */
export async function sendableMedia(file: { bytes: Buffer; mimeType: string }): Promise<typeof file> {
  if (file.mimeType !== 'image/webp') return file
  const { default: sharp } = await import('sharp')
  return { bytes: await decoding.run(() => asJpeg(sharp(file.bytes)).toBuffer()), mimeType: JPEG }
}

export const endingOfMedia = (mimeType: string): string =>
  mimeType === JPEG ? 'jpg' : isFileType(mimeType) ? endingOf(mimeType) : 'bin'

async function reencode(bytes: Uint8Array, mimeType: Format): Promise<Picture | PictureProblem> {
  // Loaded on first use to save memory.
  const { default: sharp } = await import('sharp')
  sharp.cache(false)
  sharp.concurrency(1)
  const open = (): Sharp => sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error', sequentialRead: true })
  try {
    const { width, height, isProgressive, format } = await open().metadata()
    const isWhole = isProgressive || format === 'gif' || format === 'heif' || format === 'webp'
    if (width * height > (isWhole ? MAX_PIXELS_UNSTREAMED : MAX_PIXELS)) return 'pixels'
    const side = maxSide[mimeType]
    const picture = open()
      .timeout({ seconds: SECONDS })
      .autoOrient()
      .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
    const encoded = mimeType === JPEG ? asJpeg(picture) : picture.webp({ quality: 82, effort: 4 })
    const { data, info } = await encoded.toBuffer({ resolveWithObject: true })
    return { bytes: data, mimeType, width: info.width, height: info.height }
  } catch (error) {
    return error instanceof Error && /pixel limit/i.test(error.message) ? 'pixels' : 'broken'
  }
}
