import { setTimeout as sleep } from 'node:timers/promises'
import type { GraphFile } from './graph-account.ts'
import { video, voiceMessage } from './recordings.ts'

const FETCH_MS = 150

export type SimulatedMedia = 'image' | 'audio' | 'video' | 'document'

/** The id names the file, so that the simulator stores no media. */
export const mediaIdOf = (type: SimulatedMedia, messageId: string) => `media.${type}.${messageId}`

const makers: Readonly<Record<SimulatedMedia, (number: number) => Buffer | Promise<Buffer>>> = {
  image: drawGate,
  audio: () => Buffer.from(voiceMessage, 'base64'),
  video: () => Buffer.from(video, 'base64'),
  document: drawnPage,
}

export const mimeTypes: Readonly<Record<SimulatedMedia, string>> = {
  image: 'image/jpeg',
  audio: 'audio/ogg; codecs=opus',
  video: 'video/mp4',
  document: 'application/pdf',
}

/** The file that a simulated customer sent, after a moment. */
export async function simulatedMedia(mediaId: string): Promise<GraphFile | null> {
  await sleep(FETCH_MS)
  const type = /^media\.(image|audio|video|document)\./.exec(mediaId)?.[1] as SimulatedMedia | undefined // one of the four
  return type ? { bytes: await makers[type](numberOf(mediaId)), mimeType: mimeTypes[type] } : null
}

/** The same for the same id: two pictures are two, and one that comes again is itself. */
const numberOf = (id: string) => [...id].reduce((sum, sign) => (sum * 31 + sign.charCodeAt(0)) % 360, 7)

/** A gate under the evening sky, in a colour of its own. */
async function drawGate(number: number): Promise<Buffer> {
  const hue = 195 + (number % 90)
  const { default: sharp } = await import('sharp')
  const bars = Array.from({ length: 9 }, (_, at) => `<rect x="${262 + at * 32}" y="300" width="10" height="220"/>`)
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="800" height="600">
    <defs><linearGradient id="sky" x2="0" y2="1"><stop stop-color="hsl(${hue},45%,42%)"/>
      <stop offset="1" stop-color="hsl(${(hue + 40) % 360},60%,82%)"/></linearGradient></defs>
    <rect width="800" height="600" fill="url(#sky)"/>
    <circle cx="620" cy="150" r="46" fill="hsl(45,90%,88%)"/>
    <path d="M0 520H800V600H0Z" fill="hsl(35,22%,60%)"/>
    <path d="M60 240H240V520H60ZM560 240H740V520H560Z" fill="hsl(35,30%,88%)"/>
    <path d="M240 300Q400 210 560 300V520H240Z" fill="hsl(${hue},30%,24%)"/>
    <g fill="hsl(${hue},35%,46%)">${bars.join('')}</g>
    <path d="M150 330q-34 44 0 62q34-18 0-62" fill="hsl(190,55%,45%)"/></svg>`
  return sharp(Buffer.from(drawing)).jpeg({ quality: 80 }).toBuffer()
}

/** One page of PDF with a drop and a few lines, written by hand: objects, and where each of them begins. */
function drawnPage(number: number): Buffer {
  const lines = Array.from({ length: 12 }, (_, at) => `72 ${560 - at * 34} ${260 + ((number + at * 53) % 190)} 8 re f`)
  const drop = '0.04 0.31 0.42 rg 297 760 m 250 690 245 640 297 640 c 349 640 344 690 297 760 c f'
  const content = `${drop}\n0.8 0.84 0.86 rg\n${lines.join('\n')}`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
  ]
  let text = '%PDF-1.4\n'
  const places = objects.map((object, at) => {
    const place = text.length
    text += `${at + 1} 0 obj\n${object}\nendobj\n`
    return `${String(place).padStart(10, '0')} 00000 n \n`
  })
  const count = objects.length + 1
  const table = `xref\n0 ${count}\n0000000000 65535 f \n${places.join('')}`
  return Buffer.from(
    `${text}${table}trailer\n<< /Size ${count} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`,
    'latin1',
  )
}
