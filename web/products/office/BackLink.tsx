import { Link } from '@tanstack/react-router'
import { useT } from '../../app/i18n.tsx'
import { StartIcon } from '../../ui/icons.tsx'
import { toolClass } from '../../ui/office/Tool.tsx'

export function BackLink() {
  const t = useT()
  return (
    <Link to="/admin/products" className={toolClass()}>
      <StartIcon size={16} aria-hidden="true" className="text-ink-3" />
      {t('officeProducts.back')}
    </Link>
  )
}
