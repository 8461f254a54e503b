// Dependencies point one way (docs/architecture.md): entrances → features → build → engines → twig → core.
const role = '^services/(gateway|worker|edge|cli)/';
const only = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });
const foldersOnly = (name, comment, from, to) => ({ ...only(name, comment, from, to), scope: 'folder' });
const ours = '^(services|workflows|scripts)/';

module.exports = {
  forbidden: [
    // a recursive descent parser and its generator call each other by nature
    only('no-cycles', 'A cycle hides what depends on what.', { pathNot: '^services/twig/' }, { circular: true }),
    foldersOnly('no-circles-of-folders', 'A circle of folders hides what depends on what; types count too.', { path: '^(services|workflows)/[^/]+$|^services/features/[^/]+$' }, { circular: true }),
    only('feature-doors', 'Other folders use a feature through its index.ts.', { path: ours, pathNot: '^services/(features/[^/]+/|gateway/routes\\.ts$)' }, { path: '^services/features/[^/]+/', pathNot: '^services/features/[^/]+/index\\.ts$' }),
    only('feature-doors-between', 'A feature uses another one through its index.ts.', { path: '^services/features/([^/]+)/' }, { path: '^services/features/[^/]+/', pathNot: ['^services/features/$1/', '^services/features/[^/]+/index\\.ts$'] }),
    only('routes-door', 'The list of routes takes the routes of a feature and its calls of the dashboard, and nothing else.', { path: '^services/gateway/routes\\.ts$' }, { path: '^services/features/[^/]+/', pathNot: '/(dashboard-)?routes\\.ts$' }),
    only('shared-below-features', 'What features share knows none of them but the policy.', { path: '^services/features/[^/]+\\.ts$' }, { path: '^services/features/[^/]+/', pathNot: '^services/features/access/index\\.ts$' }),
    only('policy-below-features', 'The policy knows no feature.', { path: '^services/features/access/' }, { path: '^services/features/(?!access/)' }),
    only('service-is-rules', 'service.ts has rules; what others may use of a feature is in its index.ts.', { path: '/service\\.ts$' }, { dependencyTypes: ['export'] }),
    only('build-doors', 'Others use build through index.ts, and what reads a release through format.ts.', { path: ours, pathNot: '^services/build/' }, { path: '^services/build/', pathNot: '^services/build/(index|format)\\.ts$' }),
    only('twig-door', 'Others use Twig through its index.ts.', { path: ours, pathNot: '^services/twig/' }, { path: '^services/twig/', pathNot: '^services/twig/index\\.ts$' }),
    only('edge-stays-small', 'An edge knows no feature, and of build the format of a release: the rest would load what it does not need.', { path: '^services/edge/' }, { path: '^services/(features/|build/(?!format\\.ts$)|twig/)' }),
    only('core-is-pure', 'core knows nothing of the others.', { path: '^services/core/' }, { path: '^(services/(?!core/)|workflows/)' }),
    only('twig-alone', 'Twig compiles and renders, and knows core at most.', { path: '^services/twig/' }, { path: '^services/(?!core/|twig/)|^workflows/' }),
    only('engines-below-features', 'Engines know Twig and core, and of the workflows contracts and policies.', { path: '^services/engines/', pathNot: '^services/engines/actors/embedded/' }, { path: `^services/(?!core/|engines/|twig/)|^workflows/(?!contracts/|policies/)` }),
    only('embedded-runtime-runs-actors', 'The embedded runtime runs actors, and knows no feature.', { path: '^services/engines/actors/embedded/' }, { path: `^services/(?!core/|engines/)|^workflows/(?!actors/|contracts/|policies/)` }),
    only('one-actor-runtime', 'Only engines/actors knows which runtime is in use.', { path: '^services/', pathNot: '^services/engines/actors/|^services/engines-local/temporal|^services/cli/doctor/' }, { path: '^services/engines/actors/(temporal|embedded)/|node_modules/@temporalio/' }),
    only('build-below-features', 'build is called by a feature and knows none.', { path: '^services/build/' }, { path: '^services/(?!build/|core/|engines/|twig/)|^workflows/(?!contracts/)' }),
    only('features-below-entrances', 'features know build, engines, Twig and core.', { path: '^services/features/' }, { path: '^services/(?!features/|build/|core/|engines/|twig/)|^workflows/(?!contracts/|policies/)' }),
    only('local-engines-apart', 'engines-local starts programs and knows nothing of what runs on them.', { path: '^services/engines-local/' }, { path: '^services/(?!core/|engines-local/)|^workflows/' }),
    only('roles-apart', 'One role does not reach into another.', { path: '^services/(gateway|worker|edge|cli)/' }, { path: role, pathNot: '^services/$1/' }),
    only('client-alone', 'The client is for programs that have nothing else of ours.', { path: '^services/client/' }, { path: '^services/(?!client/)|^workflows/' }),
    only('activities-below-roles', 'Activities know features.', { path: '^workflows/activities/' }, { path: `${role}|^services/engines-local/` }),
    only('actors-deterministic', 'Actors know contracts and policies, and no runtime.', { path: '^workflows/actors/' }, { path: '^services/|^workflows/(activities|definitions)|^node:|node_modules' }),
    only('definitions-deterministic', 'Workflow definitions know actors, contracts and policies.', { path: '^workflows/definitions/' }, { path: '^services/|^workflows/(activities|bundle)|^node:' }),
    only('contracts-import-nothing', 'Contracts are names and types.', { path: '^workflows/contracts/' }, { path: '^(services|workflows/(?!contracts/))' }),
    only('one-restify', 'Only the server knows restify.', { path: '^services/', pathNot: '^services/gateway/server\\.ts$' }, { path: 'node_modules/restify' }),
    only('one-pg', 'Only the SQL engine knows pg.', { path: '^(services|workflows)/(?!engines/sql/|engines-local/)' }, { path: 'node_modules/pg/' }),
    only('one-minio', 'Only the object store knows minio.', { path: '^(services|workflows)/(?!engines/objects/)' }, { path: 'node_modules/minio/' }),
    only('product-without-tests', 'What ships knows neither scripts nor tests.', { path: '^(services|workflows)/' }, { path: '^(scripts|test)/' }),
    only('harness-below-tests', 'What tests share knows no test.', { path: '^test/harness/' }, { path: '^(scripts|test/(?!harness/))' }),
    only('scripts-beside-tests', 'Scripts use what tests share, and no test.', { path: '^scripts/' }, { path: '^test/(?!harness/|bench/report/)' }),
    only('not-to-dev', 'What ships does not need what only tests need.', { path: '^(services|workflows)/' }, { dependencyTypes: ['npm-dev'] }),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // swc is not told about JSX here; the bundler checks what browser code imports (services/dashboard/build.ts)
    exclude: { path: '^services/dashboard/(app|parts|views)/' },
    tsPreCompilationDeps: true,
    parser: 'swc',
    enhancedResolveOptions: { extensions: ['.ts', '.js', '.json'], conditionNames: ['import', 'node', 'default'] },
  },
};
