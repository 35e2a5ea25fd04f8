import { bahrainDate, formatDateTime, formatDay } from '@qatra/contract/calendar/calendar'
import { notificationTypes } from '@qatra/contract/users/auth'
import { choiceName } from '@qatra/contract/users/permissions'
import { type AdminUser, updateUser } from '@qatra/contract/users/users'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { call } from '../../lib/api-client.ts'
import { useUser } from '../../lib/current-user.ts'
import { useLanguage } from '../../lib/language/i18n.tsx'
import { refusalText } from '../../lib/refusal.ts'
import { DescriptionList } from '../../ui/admin/DescriptionList.tsx'
import { Form } from '../../ui/admin/form/Form.tsx'
import { CheckboxList } from '../../ui/admin/form/fields.tsx'
import { useForm } from '../../ui/admin/form/use-form.ts'
import { PanelPart, SidePanel } from '../../ui/admin/SidePanel.tsx'
import { Phone } from '../../ui/Bidi.tsx'
import { Button } from '../../ui/Button.tsx'
import { TextField } from '../../ui/Field.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { toast } from '../../ui/Toast.tsx'
import { ActivityDot } from './Activity.tsx'
import { OwnPermissions } from './OwnPermissions.tsx'
import { PersonActions } from './PersonActions.tsx'
import { cachePerson, personQuery, useVendorNames } from './person-cache.ts'

/** Panel of one person beside the list. */
export function PersonPanel({ id, onClose }: { id: number; onClose(): void }) {
  const { t } = useLanguage()
  const { data: person, error } = useQuery(personQuery(id))
  const name = person?.name ?? person?.phone ?? ''
  return (
    <SidePanel
      label={name || t('users.edit')}
      title={person ? <bdi>{name}</bdi> : <Skeleton className="h-6 w-40" />}
      onClose={onClose}
    >
      {error && !person && (
        <p role="alert" className="px-5 py-4 text-clay">
          {refusalText(t, error, 'users')}
        </p>
      )}
      {person && <Known key={person.id} person={person} name={name} />}
    </SidePanel>
  )
}

function Known({ person, name }: { person: AdminUser; name: string }) {
  const { t, lang } = useLanguage()
  const self = useUser()
  const { nameOf } = useVendorNames()
  const isSuper = self?.role === 'super_admin'
  const isSelf = self?.id === person.id
  return (
    <>
      <PanelPart>
        <DescriptionList
          items={[
            [t('users.phone'), <Phone key="phone" phone={person.phone} />],
            [t('users.role'), t(`admin.role.${choiceName(person)}`)],
            [t('admin.vendor'), person.vendorId === null ? null : nameOf(person.vendorId)],
            [t('users.activity'), <ActivityDot key="dot" person={person} />],
            [t('users.lastLogin'), person.lastLoginAt && formatDateTime(new Date(person.lastLoginAt), lang)],
            [t('users.state'), t(person.isActive ? 'users.on' : 'users.off')],
            [t('users.verified'), t(person.isVerified ? 'users.isVerified' : 'users.notVerified')],
            [t('users.since'), formatDay(bahrainDate(new Date(person.createdAt)), lang, 'medium')],
          ]}
        />
        {person.openOrders > 0 && (
          <p className="mt-2 text-ink-2">{t('users.openOrders', { count: person.openOrders })}</p>
        )}
      </PanelPart>
      <PanelPart>
        {isSelf && <p className="mb-2 text-ink-2">{t('users.self')}</p>}
        <PersonActions person={person} name={name} choosesVendor={isSuper} />
        <Link
          to="/admin/audit"
          search={{ user: person.id }}
          className="mt-3 inline-flex min-h-6 items-center text-aqua-ink hover:underline max-md:min-h-tap"
        >
          {t('users.history')}
        </Link>
      </PanelPart>
      {person.can.edit && (
        <PanelPart title={t('users.edit')}>
          <Details person={person} />
        </PanelPart>
      )}
      {person.can.changePermissions && (
        <PanelPart title={t('users.own')}>
          <OwnPermissions key={choiceName(person)} person={person} />
        </PanelPart>
      )}
    </>
  )
}

function Details({ person }: { person: AdminUser }) {
  const { t } = useLanguage()
  const queries = useQueryClient()
  const form = useForm({
    body: updateUser.body,
    start: { name: person.name ?? '', notificationTypes: person.notificationTypes },
    toBody: ({ name, notificationTypes: chosen }) => ({
      ...(name.trim() === '' && person.name === null ? {} : { name }),
      notificationTypes: notificationTypes.filter((type) => chosen.includes(type)),
    }),
    send: (body) => call(updateUser, { params: { id: String(person.id) }, body }),
    onSaved: (after) => {
      cachePerson(queries, after)
      toast({ title: t('users.saved') })
    },
  })
  return (
    <Form form={form}>
      <TextField label={t('users.name')} autoComplete="off" dir="auto" {...form.text('name')} />
      <CheckboxList
        label={t('users.notifications')}
        choices={notificationTypes.map((value) => ({ value, label: t(`users.notify.${value}`) }))}
        {...form.field('notificationTypes')}
      />
      <Button type="submit" tone="gulf" busy={form.busy} className="justify-self-start">
        {t('admin.save')}
      </Button>
    </Form>
  )
}
