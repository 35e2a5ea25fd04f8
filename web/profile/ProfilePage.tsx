import { getPush } from '@qatra/contract/notifications/push'
import { listAddresses } from '@qatra/contract/users/addresses'
import { exportAccount } from '@qatra/contract/users/auth'
import { useState } from 'react'
import { PagePending } from '../app/layout/PagePending.tsx'
import type { Page } from '../app/page.ts'
import { requireUser } from '../app/session/session.ts'
import { useSignOut } from '../app/session/sign-out.ts'
import { call, read } from '../lib/api-client.ts'
import { useUser } from '../lib/current-user.ts'
import { useT } from '../lib/language/i18n.tsx'
import { saveFile } from '../lib/save-file.ts'
import { useAction } from '../lib/use-action.ts'
import { myBottlesQuery } from '../orders/MyBottles.tsx'
import { PushChoice } from '../push/PushChoice.tsx'
import { Button } from '../ui/Button.tsx'
import { DownloadIcon, SignOutIcon } from '../ui/icons.tsx'
import { toast } from '../ui/Toast.tsx'
import { AddressBook } from './AddressBook.tsx'
import { BottlesPart } from './BottlesPart.tsx'
import { EraseDialog } from './EraseDialog.tsx'
import { ProfileForm } from './ProfileForm.tsx'

function ProfilePage() {
  const t = useT()
  const user = useUser()
  const leave = useSignOut()
  // Signed out, and the redirect has not happened yet.
  if (!user) return <PagePending />
  return (
    <main id="main" className="wrap py-6 max-lg:max-w-160 lg:grid lg:grid-cols-2 lg:items-start lg:gap-x-16">
      <div>
        <h1 className="text-title">{t('profile.title')}</h1>
        <ProfileForm key={user.id} user={user} />
      </div>
      <div className="lg:*:first:mt-0 lg:*:first:border-0">
        <AddressBook />
        <BottlesPart />
        <div className="mt-10 border-t border-line pt-6 empty:hidden">
          <PushChoice />
        </div>
        <YourData />
        <div className="mt-8 border-t border-line pt-6">
          <Button tone="outline" icon={SignOutIcon} onClick={() => void leave()}>
            {t('profile.signOut')}
          </Button>
        </div>
      </div>
    </main>
  )
}

/** View, download and erase personal data, as the law requires. */
function YourData() {
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

export const page: Page = {
  Component: ProfilePage,
  async load(request) {
    const user = await requireUser(request)
    // Without the addresses the page shows an error with a retry.
    await Promise.all([
      request.queries.prefetchQuery(read(listAddresses)),
      request.queries.prefetchQuery(read(getPush)),
      request.queries.prefetchQuery(myBottlesQuery()),
    ])
    return user
  },
  head: ({ t }) => ({ title: t('shell.title.profile'), hidden: true }),
}
