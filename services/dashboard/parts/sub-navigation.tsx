import { Link } from '@tanstack/react-router';

/** The pages of one view, below its title. `to` is a path of the dashboard. */
export const SubNavigation = ({ label, pages }: { label: string; pages: readonly { to: string; title: string }[] }) => (
  <nav className="sub-navigation" aria-label={label}>
    {pages.map(({ to, title }) => (
      <Link key={to} to={to} activeOptions={{ exact: true }}>
        {title}
      </Link>
    ))}
  </nav>
);
