import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler'
import { codePointsOf, printable } from './glyphs.ts'

/**
 * Worker process that sets receipts as PDF. Starts with the first one and exits when idle, so that its memory and CPU
 * time are not the server's. Has no settings and no network access.
 */
interface PdfJob {
  id: number
  /** The document as JSON. */
  receipt: string
}

const require = createRequire(import.meta.url)
const font = (file: string) => readFileSync(require.resolve(`@expo-google-fonts/${file}`))
/** The fonts of `receipt.typ`, in its order. Those without bold text, with the languages of Bahrain's residents, signs and emoji. */
const regular = [
  'ibm-plex-sans-arabic/400Regular/IBMPlexSansArabic_400Regular.ttf',
  'noto-sans/400Regular/NotoSans_400Regular.ttf',
  'noto-sans-malayalam/400Regular/NotoSansMalayalam_400Regular.ttf',
  'noto-sans-bengali/400Regular/NotoSansBengali_400Regular.ttf',
  'noto-sans-tamil/400Regular/NotoSansTamil_400Regular.ttf',
  'noto-sans-thai/400Regular/NotoSansThai_400Regular.ttf',
  'noto-sans-symbols-2/400Regular/NotoSansSymbols2_400Regular.ttf',
  'noto-emoji/400Regular/NotoEmoji_400Regular.ttf',
].map(font)
const glyphs = regular.map(codePointsOf)
const template = readFileSync(new URL('./receipt.typ', import.meta.url), 'utf8')
const compiler = NodeCompiler.create({
  fontArgs: [{ fontBlobs: [...regular, font('ibm-plex-sans-arabic/600SemiBold/IBMPlexSansArabic_600SemiBold.ttf')] }],
})
/** Compiler cache entries unused for this many receipts are dropped. */
const KEPT_RESULTS = 2

/** A tagged PDF must not have a character without a glyph. */
const withGlyphs = (receipt: string) =>
  JSON.stringify(
    JSON.parse(receipt, (_, value: unknown) => (typeof value === 'string' ? printable(value, glyphs) : value)),
  )

process.on('message', ({ id, receipt }: PdfJob) => {
  try {
    const pdf = compiler.pdf(
      { mainFileContent: template, inputs: { receipt: withGlyphs(receipt) } },
      // Tagged PDF for screen readers; without a creation time, so that equal receipts have equal bytes.
      { pdfStandard: 'ua-1', pdfTags: true, creationTimestamp: 0 },
    )
    process.send?.({ id, pdf: Uint8Array.from(pdf) })
  } catch (error) {
    process.send?.({ id, error: error instanceof Error ? error.message : JSON.stringify(error) })
  }
  compiler.evictCache(KEPT_RESULTS)
})
process.on('disconnect', () => process.exit(0))
