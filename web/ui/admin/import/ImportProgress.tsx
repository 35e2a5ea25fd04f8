import { useT } from '../../../lib/language/i18n.tsx'
import { Progress } from '../../Progress.tsx'
import type { ImportStep } from './use-file-import.ts'

interface ImportProgressProps {
  step: ImportStep
  /** Share of the uploaded bytes, from 0 to 1. */
  sent: number
  file: File | null
  /** What is being written. */
  writing: string
}

/** Progress of an import: uploaded bytes, then the step of the server. */
export function ImportProgress({ step, sent, file, writing }: ImportProgressProps) {
  const t = useT()
  const words: Partial<Record<ImportStep, string>> = {
    sending: t('import.sending', { percent: Math.round(sent * 100) }),
    checking: t('import.checking'),
    writing,
  }
  const text = words[step]
  return (
    <div role="status" className={text ? 'grid gap-2 py-8' : 'sr-only'}>
      {text && (
        <>
          <p className="font-strong">{text}</p>
          <Progress value={step === 'sending' ? sent * 0.6 : step === 'checking' ? 0.8 : 0.9} label={text} />
          {file && <bdi className="wrap-anywhere whitespace-normal text-ink-2">{file.name}</bdi>}
        </>
      )}
    </div>
  )
}
