import { choiceName, type RoleChoice } from '@qatra/contract/users/permissions'
import { type AdminUser, changeRole, choicesInGift, isVendorRole } from '@qatra/contract/users/users'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../lib/api-client.ts'
import { useUser } from '../../lib/current-user.ts'
import { useT } from '../../lib/language/i18n.tsx'
import { refusalText } from '../../lib/refusal.ts'
import { useAction } from '../../lib/use-action.ts'
import { SelectField } from '../../ui/admin/form/fields.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { toast } from '../../ui/Toast.tsx'
import { cachePerson, useVendorNames } from './person-cache.ts'
import { RoleRights } from './RoleRights.tsx'

interface RoleDialogProps {
  person: AdminUser
  name: string
  /** A market admin chooses the vendor; a vendor's admin has one. */
  choosesVendor: boolean
  onClose(): void
}

/** Assigns role and vendor; lists the permissions and consequences. */
export function RoleDialog({ person, name, choosesVendor, onClose }: RoleDialogProps) {
  const t = useT()
  const queries = useQueryClient()
  const { options, only } = useVendorNames()
  const self = useUser()
  const [choice, setChoice] = useState<RoleChoice>({ role: person.role, preset: person.preset })
  const { role, preset } = choice
  const [chosen, setVendorId] = useState(person.vendorId)
  const vendorId = chosen ?? only
  const { busy, problem, setProblem, run } = useAction((error) => refusalText(t, error, 'users'))
  const needsVendor = isVendorRole(role)
  const isSame = choiceName(choice) === choiceName(person) && (!needsVendor || vendorId === person.vendorId)
  const isMissing = needsVendor && choosesVendor && vendorId === null

  const choices = choicesInGift(self).filter((each) => person.can.roles.includes(each.role))

  function give() {
    if (isSame) return onClose()
    if (isMissing) return setProblem(t('validation.required'))
    void run(async () => {
      const body = { role, preset, ...(needsVendor && choosesVendor ? { vendorId } : {}) }
      cachePerson(queries, await call(changeRole, { params: { id: String(person.id) }, body }))
      toast({ title: t('users.role.changed', { name, role: t(`admin.role.${choiceName(choice)}`) }) })
      onClose()
    })
  }

  return (
    <Dialog
      open
      className="max-w-140"
      title={t('users.role.title', { name })}
      safe={{ label: t('admin.cancel'), onChoose: onClose }}
      action={{ label: t('users.role.give'), tone: 'gulf', busy, onChoose: give }}
    >
      <fieldset aria-label={t('users.role')} className="mt-3 grid gap-1.5">
        {choices.map((each) => (
          <label
            key={choiceName(each)}
            className="relative grid min-h-12 cursor-pointer content-center rounded-m px-3 py-1.5 inset-ring inset-ring-line has-checked:bg-gulf-soft has-checked:inset-ring-2 has-checked:inset-ring-gulf has-focus-visible:outline-2 has-focus-visible:outline-focus"
          >
            <input
              type="radio"
              name="role"
              className="sr-only"
              checked={choiceName(each) === choiceName(choice)}
              onChange={() => {
                setChoice(each)
                setProblem(null)
              }}
            />
            <b className="font-strong text-ink">
              {t(`admin.role.${choiceName(each)}`)}
              {choiceName(each) === choiceName(person) && (
                <span className="ms-2 font-regular text-ink-3">{t('users.role.now')}</span>
              )}
            </b>
            <span className="text-ink-2">{t(`users.role.about.${choiceName(each)}`)}</span>
          </label>
        ))}
      </fieldset>
      {needsVendor && choosesVendor && (
        <SelectField
          label={t('admin.vendor')}
          className="mt-3 text-ink"
          placeholder={t('admin.form.choose')}
          options={options}
          value={vendorId}
          onChange={(value) => {
            setVendorId(value)
            setProblem(null)
          }}
          error={isMissing ? problem : undefined}
        />
      )}
      <section aria-live="polite" className="mt-4">
        <h3 className="mb-1.5 text-label font-strong text-ink">{t('users.role.may')}</h3>
        <RoleRights choice={choice} />
      </section>
      {!isSame && (
        <p className="mt-3 rounded-m bg-well px-3.5 py-2.5 text-ink-2">
          {t('users.role.anew')}
          {person.role === 'driver' && person.openOrders > 0 && (
            <b className="mt-1 block font-strong text-ink">{t('users.openOrders', { count: person.openOrders })}</b>
          )}
        </p>
      )}
      {problem && !isMissing && (
        <p role="alert" className="mt-3 text-clay">
          {problem}
        </p>
      )}
    </Dialog>
  )
}
