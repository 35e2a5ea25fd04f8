import { includedPermissions, type RoleChoice } from '@qatra/contract/users/permissions'
import { useT } from '../../lib/language/i18n.tsx'
import { CheckIcon } from '../../ui/icons.tsx'

/** Permissions of a role or preset, from the table that the server uses. */
export function RoleRights({ choice }: { choice: RoleChoice }) {
  const t = useT()
  const rights = includedPermissions(choice)
  if (rights.length === 0) return <p className="text-ink-2">{t('users.role.mayNothing')}</p>
  return (
    <ul className="grid gap-x-4 gap-y-1 sm:grid-cols-2">
      {rights.map((right) => (
        <li key={right} className="flex items-start gap-2 text-ink-2">
          <CheckIcon size={15} aria-hidden="true" className="mt-1 flex-none text-aqua-ink" />
          {t(`users.may.${right}`)}
        </li>
      ))}
    </ul>
  )
}
