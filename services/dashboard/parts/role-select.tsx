import type { SiteRole } from '../../core/roles.ts';

/** The roles with what they allow, from the strongest to the weakest (docs/people.md, Roles). */
export const roleOptions: readonly (readonly [SiteRole, string])[] = [
  ['owner', 'Owner: everything'],
  ['editor', 'Editor: writes and publishes everything'],
  ['author', 'Author: writes items of their own'],
  ['viewer', 'Viewer: reads everything'],
];

/** The choice of a role within a row of a list; `label` names it. */
export const RoleSelect = ({
  label,
  value,
  onChange,
}: {
  label: string;
  value: SiteRole;
  onChange: (role: SiteRole) => void;
}) => (
  <select
    className="inline-select"
    aria-label={label}
    value={value}
    onChange={(event) => onChange(event.target.value as SiteRole)}
  >
    {roleOptions.map(([role]) => (
      <option key={role} value={role}>
        {role}
      </option>
    ))}
  </select>
);
