import { BULK_BYTES, type BulkFailure, bulkProducts } from '@qatra/contract/products-bulk'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useT } from '../../app/i18n.tsx'
import { sendFile } from '../../app/send-file.ts'
import { CallError } from '../../lib/api-client.ts'
import { renewProducts } from './api.ts'

export type BulkStep = 'choose' | 'sending' | 'checking' | 'checked' | 'writing' | 'done'

interface Found {
  rows: number
  created: number
  updated?: number | undefined
  failed: readonly BulkFailure[]
}

const nothing: Found = { rows: 0, created: 0, failed: [] }

/** Steps of an import: choose, upload and check, review, write. Nothing is written before the review. */
export function useBulk() {
  const t = useT()
  const queries = useQueryClient()
  const [file, setFile] = useState<File | null>(null)
  const [step, setStep] = useState<BulkStep>('choose')
  const [sent, setSent] = useState(0)
  const [found, setFound] = useState<Found>(nothing)
  const [failure, setFailure] = useState<string | null>(null)

  const wordsFor = (error: CallError) => {
    const keys = {
      OFFLINE: 'adminProducts.bulk.offline',
      TOO_LARGE: 'adminProducts.bulk.tooLarge',
      FORBIDDEN: 'adminProducts.bulk.forbidden',
      TOO_MANY_REQUESTS: 'adminProducts.bulk.busy',
    } as const
    return t(error.code in keys ? keys[error.code as keyof typeof keys] : 'adminProducts.bulk.failed')
  }

  async function send(wanted: File, query: Record<string, string>) {
    setFailure(null)
    setSent(0)
    return sendFile(bulkProducts, { file: wanted, query, onProgress: setSent })
  }

  async function check(wanted: File) {
    setFile(wanted)
    if (wanted.size > BULK_BYTES) return setFailure(t('adminProducts.bulk.tooLarge'))
    setStep('sending')
    try {
      setFound(await send(wanted, { dryRun: 'true' }))
      setStep('checked')
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      setFailure(wordsFor(error))
      setStep('choose')
    }
  }

  async function write(isPartial: boolean) {
    if (!file) return
    setStep('writing')
    try {
      setFound(await send(file, isPartial ? { partial: 'true' } : {}))
      await renewProducts(queries)
      setStep('done')
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      // The data changed in the meantime: the new result replaces the old one.
      const failed = error.details['failed']
      if (error.code === 'BULK_REFUSED' && Array.isArray(failed))
        setFound({ ...found, failed: failed as BulkFailure[] })
      else setFailure(wordsFor(error))
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
