import { startImpersonation } from '@qatra/contract/users/impersonation'
import { confirmRecovery } from '@qatra/contract/users/passkeys'
import { isStaff } from '@qatra/contract/users/roles'
import { type AdminUser, removeVendorAccess, updateUser } from '@qatra/contract/users/users'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { changeSession } from '../../app/session/admin-exit.ts'
import { call } from '../../lib/api-client.ts'
import { useUser } from '../../lib/current-user.ts'
import { useT } from '../../lib/language/i18n.tsx'
import { refusalText } from '../../lib/refusal.ts'
import { useAction } from '../../lib/use-action.ts'
import { ConfirmDialog } from '../../ui/admin/ConfirmDialog.tsx'
import { ActAsIcon } from '../../ui/admin/icons.ts'
import { ToolbarButton } from '../../ui/admin/ToolbarButton.tsx'
import { EditIcon, LockIcon, UserIcon, WarningIcon } from '../../ui/icons.tsx'
import { toast } from '../../ui/Toast.tsx'
import { cachePerson } from './person-cache.ts'
import { RoleDialog } from './RoleDialog.tsx'

interface PersonActsProps {
  person: AdminUser
  name: string
  choosesVendor: boolean
  /** Opens the start page of the impersonated person with a page load, because all cached data changes. */
  go?(address: string): void
}
type DialogName = 'role' | 'remove' | 'off' | 'act' | 'passkeys' | null

/** Actions on a person, each with a confirmation. */
export function PersonActions({
  person,
  name,
  choosesVendor,
  go = (address) => location.assign(address),
}: PersonActsProps) {
  const t = useT()
  const queries = useQueryClient()
  const [dialog, setDialog] = useState<DialogName>(null)
  const { busy, problem, setProblem, run } = useAction((error) => refusalText(t, error, 'users'))
  const { can } = person
  const params = { id: String(person.id) }

  const show = (what: DialogName) => {
    setProblem(null)
    setDialog(what)
  }
  const confirming = { busy, error: problem, onCancel: () => show(null) }

  const switchTo = (isActive: boolean) =>
    run(async () => {
      cachePerson(queries, await call(updateUser, { params, body: { isActive } }))
      toast({ title: t('users.saved') })
      setDialog(null)
    })
  const remove = () =>
    run(async () => {
      cachePerson(queries, await call(removeVendorAccess, { params }))
      toast({ title: t('users.remove.done', { name }) })
      setDialog(null)
    })
  const actAs = (reason: string) =>
    run(async () => {
      await changeSession(() => call(startImpersonation, { params: { userId: params.id }, body: { reason } }))
      go(isStaff(person.role) ? '/admin' : '/')
      setDialog(null)
    })

  const me = useUser()
  const recovers = me?.role === 'super_admin' && person.role === 'super_admin' && person.id !== me.id
  const confirmRecoveryOf = () =>
    run(async () => {
      const { removed } = await call(confirmRecovery, { params })
      toast({ title: t(removed ? 'users.passkeys.removed' : 'users.passkeys.confirmed', { name }) })
      setDialog(null)
    })

  return (
    <>
      <div className="flex flex-wrap gap-2">
        {recovers && (
          <ToolbarButton icon={LockIcon} onClick={() => show('passkeys')}>
            {t('users.passkeys')}
          </ToolbarButton>
        )}
        {can.changeRole && (
          <ToolbarButton icon={EditIcon} onClick={() => show('role')}>
            {t('users.role.change')}
          </ToolbarButton>
        )}
        {can.impersonate && (
          <ToolbarButton icon={ActAsIcon} onClick={() => show('act')}>
            {t('users.act')}
          </ToolbarButton>
        )}
        {can.changeRole && person.role !== 'customer' && (
          <ToolbarButton icon={UserIcon} tone="danger" onClick={() => show('remove')}>
            {t('users.remove')}
          </ToolbarButton>
        )}
        {can.switchOff && (
          <ToolbarButton
            icon={WarningIcon}
            {...(person.isActive ? { tone: 'danger' as const } : {})}
            onClick={() => (person.isActive ? show('off') : void switchTo(true))}
          >
            {t(person.isActive ? 'users.switchOff' : 'users.switchOn')}
          </ToolbarButton>
        )}
      </div>
      {dialog === null && problem && (
        <p role="alert" className="mt-2 text-clay">
          {problem}
        </p>
      )}
      {dialog === 'role' && (
        <RoleDialog person={person} name={name} choosesVendor={choosesVendor} onClose={() => show(null)} />
      )}
      <ConfirmDialog
        {...confirming}
        open={dialog === 'remove'}
        tone="danger"
        title={t('users.remove.title', { name })}
        confirm={t('users.remove.confirm')}
        onConfirm={() => void remove()}
      >
        <p>{t('users.remove.text', { name })}</p>
        <OpenOrders person={person}>{t('users.remove.open')}</OpenOrders>
      </ConfirmDialog>
      <ConfirmDialog
        {...confirming}
        open={dialog === 'off'}
        tone="danger"
        title={t('users.switchOff.title', { name })}
        confirm={t('users.switchOff.confirm')}
        onConfirm={() => void switchTo(false)}
      >
        <p>{t('users.switchOff.text')}</p>
        <OpenOrders person={person}>{t('users.remove.open')}</OpenOrders>
      </ConfirmDialog>
      <ConfirmDialog
        {...confirming}
        open={dialog === 'passkeys'}
        tone="danger"
        title={t('users.passkeys.title', { name })}
        confirm={t('users.passkeys.confirm')}
        onConfirm={() => void confirmRecoveryOf()}
      >
        {t('users.passkeys.text', { name })}
      </ConfirmDialog>
      <ConfirmDialog
        {...confirming}
        open={dialog === 'act'}
        title={t('users.act.title', { name })}
        reason="required"
        reasonLabel={t('users.act.reason')}
        confirm={t('users.act.confirm')}
        onConfirm={(reason) => void actAs(reason)}
      >
        {t('users.act.text', { name })}
      </ConfirmDialog>
    </>
  )
}

/** Open orders that a driver leaves unassigned. */
function OpenOrders({ person, children }: { person: AdminUser; children: ReactNode }) {
  const t = useT()
  if (person.openOrders === 0) return null
  return (
    <p className="mt-2 rounded-m bg-clay-soft px-3.5 py-2.5 text-clay">
      {children} <b>{t('users.openOrders', { count: person.openOrders })}</b>
    </p>
  )
}
