import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler'

/**
 * A process of its own that turns receipts into PDF: it begins with the first one and ends when none was asked for a
 * while, so that neither its memory nor its work weighs on the server. It knows no setting and reaches nothing.
 */
interface Asked {
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
/** How many receipts ago something must have been of use to be kept. */
const KEPT_RESULTS = 2

process.on('message', ({ id, receipt }: Asked) => {
  try {
    const pdf = compiler.pdf(
      { mainFileContent: template, inputs: { receipt } },
      // A PDF that is read aloud in the right order; without the time of making, so that equal receipts are equal bytes.
      { pdfStandard: 'ua-1', pdfTags: true, creationTimestamp: 0 },
    )
    process.send?.({ id, pdf: Uint8Array.from(pdf) })
  } catch (error) {
    process.send?.({ id, error: error instanceof Error ? error.message : JSON.stringify(error) })
  }
  compiler.evictCache(KEPT_RESULTS)
})
process.on('disconnect', () => process.exit(0))
