import { exportAccount } from '@qatra/contract/users/auth'
import { useState } from 'react'
import { call } from '../lib/api-client.ts'
import { useT } from '../lib/language/i18n.tsx'
import { saveFile } from '../lib/save-file.ts'
import { useAction } from '../lib/use-action.ts'
import { Button } from '../ui/Button.tsx'
import { DownloadIcon } from '../ui/icons.tsx'
import { toast } from '../ui/Toast.tsx'
import { EraseDialog } from './EraseDialog.tsx'

/** View, download and erase personal data, as the law requires. */
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
  const { busy, problem, run } = useAction(() => t('profile.exportFailed'))
  const download = () =>
    run(async () => {
      const text = JSON.stringify(await call(exportAccount, {}), null, 2)
      saveFile('qatra.json', new Blob([text], { type: 'application/json' }))
      toast({ title: t('profile.exported') })
    })
  return (
    <div>
      <Button tone="quiet" icon={DownloadIcon} busy={busy} onClick={() => void download()}>
        {t('profile.export')}
      </Button>
      {problem && (
        <p role="alert" className="mt-1.5 text-label text-clay">
          {problem}
        </p>
      )}
    </div>
  )
}
