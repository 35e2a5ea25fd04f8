import type { BulkFailure, FoundColumn } from '@qatra/contract/lib/upload'
import { useState } from 'react'
import { CallError } from '../../../lib/api-client.ts'
import type { Refused } from '../../../lib/refusal.ts'
import type { Sending } from '../../../lib/send-file.ts'

type ImportStep = 'choose' | 'sending' | 'checking' | 'checked' | 'writing' | 'done'

/** What an endpoint of an import answers. */
export interface Found {
  rows: number
  failed: BulkFailure[]
  columns: FoundColumn[]
}

interface ImportOptions<Answer extends Found> {
  /** Uploads to the endpoint of the import. */
  send(sending: Sending): Promise<Answer>
  /** The vendor of rows that name none. */
  vendorId: number | null
  /** Largest file. */
  bytes: number
  /** Shown before the first answer. */
  nothing: Answer
  /** The text for a refused upload. */
  problemOf(error: Refused): string
  /** After the rows are written. */
  onWritten(): Promise<unknown>
}

/** Steps of an import: choose, upload and check, review, write. Nothing is written before the review. */
export function useFileImport<Answer extends Found>(options: ImportOptions<Answer>) {
  const { vendorId, bytes, nothing, problemOf, onWritten } = options
  const [file, setFile] = useState<File | null>(null)
  const [step, setStep] = useState<ImportStep>('choose')
  const [sent, setSent] = useState(0)
  const [found, setFound] = useState(nothing)
  const [failure, setFailure] = useState<string | null>(null)

  function send(wanted: File, query: Record<string, string>) {
    setFailure(null)
    setSent(0)
    const ofVendor = vendorId ? { vendorId: String(vendorId) } : undefined
    return options.send({ file: wanted, query: { ...query, ...ofVendor }, onProgress: setSent })
  }

  async function check(wanted: File) {
    setFile(wanted)
    if (wanted.size > bytes) return setFailure(problemOf({ code: 'TOO_LARGE' }))
    setStep('sending')
    try {
      setFound(await send(wanted, { dryRun: 'true' }))
      setStep('checked')
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      setFailure(problemOf(error))
      setStep('choose')
    }
  }

  async function write(isPartial: boolean) {
    if (!file) return
    setStep('writing')
    try {
      setFound(await send(file, isPartial ? { partial: 'true' } : {}))
      await onWritten()
      setStep('done')
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      // The data changed in the meantime: the new result replaces the old one.
      const failed = error.details['failed']
      if (error.code === 'BULK_REFUSED' && Array.isArray(failed))
        setFound({ ...found, failed: failed as BulkFailure[] })
      else setFailure(problemOf(error))
      setStep('checked')
    }
  }

  function reset() {
    setFile(null)
    setFound(nothing)
    setFailure(null)
    setStep('choose')
  }

  const isSent = sent >= 1 && (step === 'sending' || step === 'writing')
  return {
    file,
    step: isSent && step === 'sending' ? ('checking' as const) : step,
    sent,
    found,
    failure,
    check,
    write,
    reset,
  }
}

export type FileImport<Answer extends Found> = ReturnType<typeof useFileImport<Answer>>
