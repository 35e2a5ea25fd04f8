import type { BulkFailure, FileReading, ImportMapping, ImportPlan, ImportReport } from '@qatra/contract/lib/upload'
import { useState } from 'react'
import { CallError } from '../../../lib/api-client.ts'
import type { Refused } from '../../../lib/refusal.ts'
import type { Sending } from '../../../lib/send-file.ts'

type ImportStep = 'choose' | 'sending' | 'checking' | 'checked' | 'writing' | 'done'

/** What a person has chosen beside the report of the server. */
export type PlanChoice = Pick<ImportPlan, 'repairs' | 'cells'> & Partial<ImportPlan>

const noChoice: PlanChoice = { repairs: [], cells: [] }

/** The columns of each field. */
export function mappingOf(columns: FileReading['columns']): ImportMapping {
  const mapping: ImportMapping = {}
  for (const { at, field } of columns) if (field !== null) mapping[field] = [...(mapping[field] ?? []), at]
  return mapping
}

interface ImportOptions<Answer extends ImportReport> {
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
export function useFileImport<Answer extends ImportReport>(options: ImportOptions<Answer>) {
  const { vendorId, bytes, nothing, problemOf, onWritten } = options
  const [file, setFile] = useState<File | null>(null)
  const [step, setStep] = useState<ImportStep>('choose')
  const [sent, setSent] = useState(0)
  const [found, setFound] = useState(nothing)
  const [failure, setFailure] = useState<string | null>(null)
  const [plan, setPlan] = useState(noChoice)
  const [isRevising, setRevising] = useState(false)
  /** Fields whose words beside a number may be left out. */
  const [agreed, setAgreed] = useState<readonly string[]>([])

  function send(wanted: File, query: Record<string, string>, chosen?: PlanChoice) {
    setFailure(null)
    setSent(0)
    const ofVendor = vendorId ? { vendorId: String(vendorId) } : undefined
    return options.send({
      file: wanted,
      query: { ...query, ...ofVendor },
      onProgress: setSent,
      ...(chosen && { plan: chosen }),
    })
  }

  async function check(wanted: File) {
    setFile(wanted)
    setPlan(noChoice)
    setAgreed([])
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

  /** Checks the file again as a person wants it read. The columns that are shown become the chosen ones. */
  async function revise(change: Partial<PlanChoice>) {
    if (!file || isRevising) return
    const next = { ...shownPlan(), ...change }
    setRevising(true)
    try {
      setFound(await send(file, { dryRun: 'true' }, next))
      setPlan(next)
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      setFailure(problemOf(error))
    } finally {
      setRevising(false)
    }
  }

  const shownPlan = (): PlanChoice =>
    found.reading ? { ...plan, heading: found.reading.heading, mapping: mappingOf(found.reading.columns) } : plan

  async function write(isPartial: boolean) {
    if (!file) return
    setStep('writing')
    try {
      setFound(await send(file, isPartial ? { partial: 'true' } : {}, found.reading && shownPlan()))
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
    bytes,
    file,
    step: isSent && step === 'sending' ? ('checking' as const) : step,
    sent,
    found,
    failure,
    plan,
    isRevising,
    agreed,
    agree: (field: string, isAgreed: boolean) =>
      setAgreed(isAgreed ? [...agreed, field] : agreed.filter((each) => each !== field)),
    check,
    revise,
    write,
    reset,
  }
}

export type FileImport<Answer extends ImportReport> = ReturnType<typeof useFileImport<Answer>>
