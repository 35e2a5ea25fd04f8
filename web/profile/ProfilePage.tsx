import { getPush } from '@qatra/contract/notifications/push'
import { listAddresses } from '@qatra/contract/users/addresses'
import { PagePending } from '../app/layout/PagePending.tsx'
import type { Page } from '../app/page.ts'
import { requireUser } from '../app/session/session.ts'
import { useSignOut } from '../app/session/sign-out.ts'
import { read } from '../lib/api-client.ts'
import { useUser } from '../lib/current-user.ts'
import { useT } from '../lib/language/i18n.tsx'
import { PushChoice } from '../push/PushChoice.tsx'
import { Button } from '../ui/Button.tsx'
import { SignOutIcon } from '../ui/icons.tsx'
import { AddressBook } from './AddressBook.tsx'
import { ProfileForm } from './ProfileForm.tsx'
import { YourData } from './YourData.tsx'

function ProfilePage() {
  const t = useT()
  const user = useUser()
  const leave = useSignOut()
  // Signed out, and the redirect has not happened yet.
  if (!user) return <PagePending />
  return (
    <main id="main" className="mx-auto w-full max-w-160 px-4 py-6">
      <h1 className="text-title">{t('profile.title')}</h1>
      <ProfileForm key={user.id} user={user} />
      <AddressBook />
      <div className="mt-10 border-t border-line pt-6 empty:hidden">
        <PushChoice />
      </div>
      <YourData />
      <div className="mt-8 border-t border-line pt-6">
        <Button tone="outline" icon={SignOutIcon} onClick={() => void leave()}>
          {t('profile.signOut')}
        </Button>
      </div>
    </main>
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
    ])
    return user
  },
  head: ({ t }) => ({ title: t('shell.title.profile'), hidden: true }),
}
