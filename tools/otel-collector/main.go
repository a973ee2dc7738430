// An OpenTelemetry Collector of the parts that follow files and send logs by OTLP/HTTP, for a test that ships with it:
//
//	go mod init otelcol
//	go get go.opentelemetry.io/collector/otelcol@v0.165.0 go.opentelemetry.io/collector/exporter/otlphttpexporter@v0.165.0 \
//	  github.com/open-telemetry/opentelemetry-collector-contrib/receiver/filelogreceiver@v0.165.0
//	go mod tidy && go build -p 2 -o otelcol .
//
// TRIPLINE_OTELCOL names the program to the test. A distribution with these two parts does as well.
package main

import (
	"log"

	"github.com/open-telemetry/opentelemetry-collector-contrib/receiver/filelogreceiver"
	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/confmap"
	"go.opentelemetry.io/collector/confmap/provider/fileprovider"
	"go.opentelemetry.io/collector/exporter"
	"go.opentelemetry.io/collector/exporter/otlphttpexporter"
	"go.opentelemetry.io/collector/otelcol"
	"go.opentelemetry.io/collector/receiver"
	"go.opentelemetry.io/collector/service/telemetry/otelconftelemetry"
)

func listParts() (otelcol.Factories, error) {
	parts := otelcol.Factories{Telemetry: otelconftelemetry.NewFactory()}
	var err error
	if parts.Receivers, err = otelcol.MakeFactoryMap[receiver.Factory](filelogreceiver.NewFactory()); err != nil {
		return parts, err
	}
	parts.Exporters, err = otelcol.MakeFactoryMap[exporter.Factory](otlphttpexporter.NewFactory())
	return parts, err
}

func main() {
	files := confmap.ResolverSettings{
		DefaultScheme: "file", ProviderFactories: []confmap.ProviderFactory{fileprovider.NewFactory()},
	}
	command := otelcol.NewCommand(otelcol.CollectorSettings{
		BuildInfo:              component.BuildInfo{Command: "otelcol", Version: "0.165.0"},
		Factories:              listParts,
		ConfigProviderSettings: otelcol.ConfigProviderSettings{ResolverSettings: files},
	})
	if err := command.Execute(); err != nil {
		log.Fatal(err)
	}
}
