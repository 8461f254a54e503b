// A Temporal server for one machine: the four services in one process, on loopback, with an SQLite file as their store.
// `fieldstone up --temporal` builds it where Go is and starts it. Prints `fieldstone temporal server VERSION` for --version.
package main

import (
	"flag"
	"fmt"
	"net"
	"os"
	"strconv"

	"go.temporal.io/server/common/cluster"
	"go.temporal.io/server/common/config"
	"go.temporal.io/server/common/dynamicconfig"
	"go.temporal.io/server/common/headers"
	"go.temporal.io/server/common/log"
	"go.temporal.io/server/common/membership/static"
	"go.temporal.io/server/common/metrics"
	"go.temporal.io/server/common/persistence/sql"
	"go.temporal.io/server/common/persistence/sql/sqlplugin"
	sqliteplugin "go.temporal.io/server/common/persistence/sql/sqlplugin/sqlite"
	"go.temporal.io/server/common/primitives"
	"go.temporal.io/server/common/resolver"
	sqliteschema "go.temporal.io/server/schema/sqlite"
	"go.temporal.io/server/temporal"
)

const (
	loopback    = "127.0.0.1"
	storeName   = "sqlite"
	clusterName = "active"
)

type options struct {
	port      int
	dbFile    string
	namespace string
	logLevel  string
}

func main() {
	var given options
	version := flag.Bool("version", false, "print the version and end")
	flag.IntVar(&given.port, "port", 7233, "the port on 127.0.0.1 that clients connect to")
	flag.StringVar(&given.dbFile, "db-file", "", "the SQLite file; made when it is missing")
	flag.StringVar(&given.namespace, "namespace", "default", "a namespace that is there once the server answers")
	flag.StringVar(&given.logLevel, "log-level", "warn", "debug, info, warn or error")
	flag.Parse()
	if *version {
		fmt.Println("fieldstone temporal server", headers.ServerVersion)
		return
	}
	if given.dbFile == "" || flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(given); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run serves until SIGINT or SIGTERM.
func run(given options) error {
	store := storeConfig(given.dbFile)
	if err := prepareStore(store, given.namespace); err != nil {
		return fmt.Errorf("the store %s cannot be prepared: %w", given.dbFile, err)
	}
	ports, err := choosePorts(given.port)
	if err != nil {
		return err
	}
	server, err := temporal.NewServer(
		temporal.WithConfig(serverConfig(store, ports, given.logLevel)),
		temporal.ForServices(temporal.DefaultServices),
		// Fixed addresses: services of one process need no membership protocol, and so no ports for it.
		temporal.WithStaticHosts(hosts(ports)),
		temporal.WithDynamicConfigClient(limits()),
		temporal.InterruptOn(temporal.InterruptCh()),
	)
	if err != nil {
		return err
	}
	return server.Start()
}

// storeConfig names the SQLite file. With a write-ahead log and `synchronous=normal` a crash of the process loses nothing and a
// power cut at most the last moments, which the product finds again in its own database.
func storeConfig(file string) *config.SQL {
	return &config.SQL{
		PluginName:   sqliteplugin.PluginName,
		DatabaseName: file,
		ConnectAttributes: map[string]string{
			"mode": "rwc", "cache": "private", "journal_mode": "wal", "synchronous": "normal", "busy_timeout": "10000",
		},
	}
}

// prepareStore makes the schema in a new file, all of it or nothing, and the namespace where it is missing.
func prepareStore(store *config.SQL, namespace string) error {
	db, err := sql.NewSQLAdminDB(
		sqlplugin.DbKindUnknown, store, resolver.NewNoopResolver(), log.NewNoopLogger(), metrics.NoopMetricsHandler)
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }()
	tables, err := db.ListTables(store.DatabaseName)
	if err != nil {
		return err
	}
	if len(tables) == 0 {
		// The plugin has one connection to a file, so that statements of their own make one transaction.
		if err := db.Exec("BEGIN IMMEDIATE"); err != nil {
			return err
		}
		if err := sqliteschema.SetupSchemaOnDB(db); err != nil {
			return err
		}
		if err := db.Exec("COMMIT"); err != nil {
			return err
		}
	}
	wanted, err := sqliteschema.NewNamespaceConfig(clusterName, namespace, false, nil)
	if err != nil {
		return err
	}
	return sqliteschema.CreateNamespaces(store, wanted)
}

// choosePorts gives each service a port: the frontend the given one, the others free ones.
func choosePorts(frontend int) (map[primitives.ServiceName]int, error) {
	ports := map[primitives.ServiceName]int{primitives.FrontendService: frontend}
	for _, service := range []primitives.ServiceName{
		primitives.HistoryService, primitives.MatchingService, primitives.WorkerService,
	} {
		listener, err := net.Listen("tcp", net.JoinHostPort(loopback, "0"))
		if err != nil {
			return nil, err
		}
		// Held until all are chosen, so that no two are the same.
		defer func() { _ = listener.Close() }()
		ports[service] = listener.Addr().(*net.TCPAddr).Port
	}
	return ports, nil
}

func address(port int) string { return net.JoinHostPort(loopback, strconv.Itoa(port)) }

func hosts(ports map[primitives.ServiceName]int) map[primitives.ServiceName]static.Hosts {
	result := map[primitives.ServiceName]static.Hosts{}
	for service, port := range ports {
		result[service] = static.SingleLocalHost(address(port))
	}
	return result
}

func serverConfig(store *config.SQL, ports map[primitives.ServiceName]int, logLevel string) *config.Config {
	services := map[string]config.Service{}
	for service, port := range ports {
		services[string(service)] = config.Service{RPC: config.RPC{GRPCPort: port, BindOnIP: loopback}}
	}
	frontend := address(ports[primitives.FrontendService])
	return &config.Config{
		Log: log.Config{Stdout: true, Level: logLevel, Format: "json"},
		Persistence: config.Persistence{
			DefaultStore:     storeName,
			VisibilityStore:  storeName,
			NumHistoryShards: 1,
			DataStores:       map[string]config.DataStore{storeName: {SQL: store}},
		},
		ClusterMetadata: &cluster.Config{
			FailoverVersionIncrement: 10,
			MasterClusterName:        clusterName,
			CurrentClusterName:       clusterName,
			ClusterInformation: map[string]cluster.ClusterInformation{
				clusterName: {Enabled: true, InitialFailoverVersion: 1, RPCAddress: frontend},
			},
		},
		Services:     services,
		PublicClient: config.PublicClient{HostPort: frontend},
	}
}

// limits says what differs from a cluster of many machines.
func limits() dynamicconfig.Client {
	return dynamicconfig.StaticClient{
		// One partition of each queue: several spread a load over machines, which there are not.
		dynamicconfig.MatchingNumTaskqueueReadPartitions.Key():  1,
		dynamicconfig.MatchingNumTaskqueueWritePartitions.Key(): 1,
		// No call to a foreign server that asks for newer versions.
		dynamicconfig.EnableServerVersionCheck.Key(): false,
		// Calls between namespaces, which need a port for HTTP.
		dynamicconfig.EnableNexus.Key(): false,
		// A namespace made while the server runs can be used at once.
		dynamicconfig.NamespaceCacheRefreshInterval.Key(): "1s",
	}
}
