import { listAdminInvitations } from '@qatra/contract/users/invitations'
import { choiceName } from '@qatra/contract/users/permissions'
import type { Role } from '@qatra/contract/users/roles'
import { type AdminUser, choicesInGift, createUser, isVendorRole, listUsers } from '@qatra/contract/users/users'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call, detailsOf } from '../../lib/api-client.ts'
import { useUser } from '../../lib/current-user.ts'
import { useT } from '../../lib/language/i18n.tsx'
import { Form } from '../../ui/admin/form/Form.tsx'
import { SelectField } from '../../ui/admin/form/fields.tsx'
import { useForm } from '../../ui/admin/form/use-form.ts'
import { PanelPart, SidePanel } from '../../ui/admin/SidePanel.tsx'
import { Button } from '../../ui/Button.tsx'
import { TextField } from '../../ui/Field.tsx'
import { toast } from '../../ui/Toast.tsx'
import { useVendorNames } from './person-cache.ts'
import { RoleRights } from './RoleRights.tsx'

interface NewPersonProps {
  onAdded(person: AdminUser): void
  /** A vendor's admin sends an invitation instead of creating the account. */
  onInvited(): void
  /** The phone belongs to an account; opens it. */
  onKnown(id: number): void
}
interface Typed {
  phone: string
  name: string
  /** Name of a role or preset. */
  role: ReturnType<typeof choiceName> | null
  vendorId: number | null
}

/** The form of a new person in a panel. */
export function NewPerson({ onClose, ...props }: NewPersonProps & { onClose(): void }) {
  const t = useT()
  const words = t(useUser()?.role === 'super_admin' ? 'users.add' : 'users.invite')
  return (
    <SidePanel label={words} title={words} onClose={onClose}>
      <PanelPart>
        <PersonForm {...props} />
      </PanelPart>
    </SidePanel>
  )
}

/** Form of a new person: phone, name, role and vendor. */
export function PersonForm({ onAdded, onInvited, onKnown }: NewPersonProps) {
  const t = useT()
  const self = useUser()
  const queries = useQueryClient()
  const { options, only } = useVendorNames()
  const [taken, setTaken] = useState<number | null>(null)
  const isSuper = self?.role === 'super_admin'
  const choices = choicesInGift(self)
  const choiceOf = (name: Typed['role']) => choices.find((each) => choiceName(each) === name)
  const isOfVendor = (name: Typed['role']) => isVendorRole(choiceOf(name)?.role ?? 'customer')
  const start: Typed = { phone: '', name: '', role: null, vendorId: isSuper ? null : (self?.vendorId ?? null) }
  const form = useForm({
    body: createUser.body,
    start,
    // A missing role is reported by the schema beside the field.
    toBody: ({ role, vendorId, ...rest }) => {
      const of = vendorId ?? only
      return {
        ...rest,
        role: choiceOf(role)?.role as Role,
        preset: choiceOf(role)?.preset ?? null,
        ...(isOfVendor(role) && of !== null ? { vendorId: of } : {}),
      }
    },
    send: (body) => {
      setTaken(null)
      return call(createUser, { body })
    },
    onSaved: (made) => {
      if (made.outcome === 'invited') {
        void queries.invalidateQueries({ queryKey: [listAdminInvitations.path] })
        toast({ title: t('users.invited', { name: made.invitation.name }) })
        return onInvited()
      }
      const person = made
      void queries.invalidateQueries({ queryKey: [listUsers.path] })
      toast({ title: t('users.added', { name: person.name ?? person.phone }) })
      onAdded(person)
    },
    failureOf: (error) => {
      if (error.code === 'IMPERSONATING') return t('users.error.IMPERSONATING')
      if (error.code === 'INVITATION_OPEN') return t('users.invited.open')
      if (error.code === 'TOO_MANY_REQUESTS') return t('users.invited.many')
      if (error.code !== 'PHONE_TAKEN') return null
      setTaken(detailsOf(error, error.code).userId ?? null)
      return t('users.taken')
    },
  })
  const { role } = form.values
  const chosen = choiceOf(role)
  return (
    <Form form={form}>
      {!isSuper && <p className="text-ink-2">{t('users.invite.hint')}</p>}
      {taken !== null && (
        <Button tone="outline" onClick={() => onKnown(taken)}>
          {t('users.taken.open')}
        </Button>
      )}
      <TextField label={t('users.phone')} ltr inputMode="tel" type="tel" autoComplete="off" {...form.text('phone')} />
      <TextField label={t('users.name')} dir="auto" autoComplete="off" {...form.text('name')} />
      <SelectField
        label={t('users.role')}
        placeholder={t('admin.form.choose')}
        options={choices.map(choiceName).map((value) => ({ value, label: t(`admin.role.${value}`) }))}
        {...form.field('role')}
      />
      {isSuper && isOfVendor(role) && (
        <SelectField
          label={t('admin.vendor')}
          placeholder={t('admin.form.choose')}
          options={options}
          {...form.field('vendorId')}
          value={form.values.vendorId ?? only}
        />
      )}
      {chosen && (
        <section aria-live="polite">
          <h3 className="mb-1.5 text-label font-strong">{t('users.role.may')}</h3>
          <RoleRights choice={chosen} />
        </section>
      )}
      <Button type="submit" tone="aqua" busy={form.busy}>
        {t(isSuper ? 'users.add.submit' : 'users.invite')}
      </Button>
    </Form>
  )
}
