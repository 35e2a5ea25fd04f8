import { agentGrants, grantableGroups, grantablePermissions } from '@qatra/contract/users/permissions'
import { type AdminUser, updateUser } from '@qatra/contract/users/users'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/api-client.ts'
import { useT } from '../../lib/language/i18n.tsx'
import { Form } from '../../ui/admin/form/Form.tsx'
import { CheckboxList } from '../../ui/admin/form/fields.tsx'
import { useForm } from '../../ui/admin/form/use-form.ts'
import { Button } from '../../ui/Button.tsx'
import { toast } from '../../ui/Toast.tsx'
import { cachePerson } from './person-cache.ts'

/** Permissions that a super admin can grant in addition to the role, grouped by area of the admin area. */
export function OwnPermissions({ person }: { person: AdminUser }) {
  const t = useT()
  if (person.role === 'super_admin') return <p className="text-ink-2">{t('users.own.all')}</p>
  if (person.preset !== null) return <p className="text-ink-2">{t('users.own.preset')}</p>
  if (grantablePermissions[person.role].length === 0) return <p className="text-ink-2">{t('users.own.none')}</p>
  return <Grants person={person} />
}

function Grants({ person }: { person: AdminUser }) {
  const t = useT()
  const queries = useQueryClient()
  const grantable = grantablePermissions[person.role]
  const form = useForm({
    body: updateUser.body,
    start: { permissions: grantable.filter((each) => person.permissions.includes(each)) },
    toBody: (values) => values,
    send: (body) => call(updateUser, { params: { id: String(person.id) }, body }),
    onSaved: (after) => {
      cachePerson(queries, after)
      toast({ title: t('users.saved') })
    },
  })
  const granted = form.values.permissions
  const agent = grantable.filter((each) => agentGrants.some((one) => one === each))
  return (
    <Form form={form}>
      <p className="text-ink-2">{t('users.own.hint')}</p>
      {agent.length > 0 && !agent.every((each) => granted.includes(each)) && (
        <Button
          size="small"
          className="justify-self-start"
          title={t('users.grant.agent.hint')}
          onClick={() =>
            form.set({ permissions: grantable.filter((one) => granted.includes(one) || agent.includes(one)) })
          }
        >
          {t('users.grant.agent')}
        </Button>
      )}
      {grantableGroups(person.role).map(({ group, permissions }) => (
        <CheckboxList
          key={group}
          label={t(`users.own.group.${group}`)}
          choices={permissions.map((value) => ({
            value,
            label: t(`users.may.${value}`),
            hint: t(`users.opens.${value}`),
          }))}
          value={granted}
          onChange={(next) => form.set({ permissions: grantable.filter((one) => next.includes(one)) })}
        />
      ))}
      {form.errors.permissions && <p className="text-clay">{form.errors.permissions}</p>}
      <Button type="submit" tone="gulf" busy={form.busy} className="justify-self-start">
        {t('admin.save')}
      </Button>
    </Form>
  )
}
