import { eraseAccount, exportAccount } from '@qatra/contract/auth'
import { useState } from 'react'
import { call } from '../app/call.ts'
import { useT } from '../app/i18n.tsx'
import { useSignOut } from '../app/sign-out.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { TextField } from '../ui/Field.tsx'
import { DownloadIcon } from '../ui/icons.tsx'
import { toast } from '../ui/Toast.tsx'

/** See, take along, erase: what the law on personal data gives everybody. */
export function YourData() {
  const t = useT()
  const [isErasing, setErasing] = useState(false)
  return (
    <section className="mt-10 grid gap-2 border-t border-line pt-6">
      <h2 className="text-heading">{t('profile.data')}</h2>
      <p className="text-label text-ink-3">{t('profile.exportHint')}</p>
      <div className="mt-1 flex flex-wrap gap-2.5">
        <ExportButton />
        <Button tone="danger" onClick={() => setErasing(true)}>
          {t('profile.erase')}
        </Button>
      </div>
      {isErasing && <EraseDialog onClose={() => setErasing(false)} />}
    </section>
  )
}

function ExportButton() {
  const t = useT()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  async function download() {
    setBusy(true)
    setFailure(null)
    try {
      saveFile('qatra.json', JSON.stringify(await call(exportAccount, {}), null, 2))
      toast({ title: t('profile.exported') })
    } catch {
      setFailure(t('profile.exportFailed'))
    }
    setBusy(false)
  }
  return (
    <div>
      <Button tone="quiet" icon={DownloadIcon} busy={busy} onClick={() => void download()}>
        {t('profile.export')}
      </Button>
      {failure && (
        <p role="alert" className="mt-1.5 text-label text-clay">
          {failure}
        </p>
      )}
    </div>
  )
}

function saveFile(name: string, text: string) {
  const address = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // The browser has taken it by the next turn.
  setTimeout(() => URL.revokeObjectURL(address), 1000)
}

const same = (typed: string, word: string) => typed.trim().toLowerCase() === word.toLowerCase()

function EraseDialog({ onClose }: { onClose(): void }) {
  const t = useT()
  const leave = useSignOut()
  const [typed, setTyped] = useState('')
  const [error, setError] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const word = t('profile.erase.word')

  async function erase() {
    if (!same(typed, word)) return setError(t('profile.erase.mistyped', { word }))
    setBusy(true)
    try {
      await call(eraseAccount, {})
      await leave({ title: t('profile.erased'), text: t('profile.erasedText') })
    } catch {
      setError(t('profile.erase.failed'))
      setBusy(false)
    }
  }
  return (
    <Dialog
      open
      title={t('profile.erase.title')}
      safe={{ label: t('profile.erase.keep'), onChoose: onClose }}
      act={{ label: t('profile.erase.act'), tone: 'danger', busy, onChoose: () => void erase() }}
    >
      <p>{t('profile.erase.gone')}</p>
      <p className="mt-1.5">{t('profile.erase.stays')}</p>
      <TextField
        className="mt-3.5 text-ink"
        label={t('profile.erase.type', { word })}
        error={error}
        autoComplete="off"
        autoCapitalize="none"
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value)
          setError(null)
        }}
        onKeyDown={({ key }) => key === 'Enter' && void erase()}
      />
    </Dialog>
  )
}
