import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler'

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
const font = (file: string) => readFileSync(require.resolve(`@expo-google-fonts/ibm-plex-sans-arabic/${file}`))
const template = readFileSync(new URL('./receipt.typ', import.meta.url), 'utf8')
const compiler = NodeCompiler.create({
  fontArgs: [
    {
      fontBlobs: [
        font('400Regular/IBMPlexSansArabic_400Regular.ttf'),
        font('600SemiBold/IBMPlexSansArabic_600SemiBold.ttf'),
      ],
    },
  ],
})
/** Compiler cache entries unused for this many receipts are dropped. */
const KEPT_RESULTS = 2

process.on('message', ({ id, receipt }: PdfJob) => {
  try {
    const pdf = compiler.pdf(
      { mainFileContent: template, inputs: { receipt } },
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
