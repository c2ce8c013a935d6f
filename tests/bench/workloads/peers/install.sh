#!/usr/bin/env bash
# Installs the libraries that the bench compares with; the tests need none of them.
#
#   install.sh FOLDER
#
# FOLDER, the build folder of bench.py, gets the library of ONNX Runtime out of its npm package; the
# others are Debian's.
set -euo pipefail

packages=(libopenblas0-pthread libdnnl-dev libeigen3-dev libxnnpack-dev python3-numpy python3-onnx
  g++ clang-19 binutils npm)
onnx_runtime=onnxruntime-node@1.30.0

if [[ $# != 1 ]]; then
  sed -n '2,/^set /{/^set /d;s/^# \{0,1\}//;p}' "$0"
  exit 2
fi

mkdir -p "$1"
folder=$(cd "$1" && pwd)
command -v npm >/dev/null && packages=("${packages[@]/npm/}")
# shellcheck disable=SC2068 # an empty word is no package
apt-get install --yes --no-install-recommends ${packages[@]}

if [[ ! -e $folder/libonnxruntime.so.1 ]]; then
  case $(uname -m) in
    x86_64) architecture=x64 ;;
    aarch64) architecture=arm64 ;;
    *)
      echo "install: the npm package has no library for $(uname -m)" >&2
      exit 0
      ;;
  esac
  (cd "$folder" && npm pack --silent "$onnx_runtime")
  tar -xzf "$folder"/onnxruntime-node-*.tgz -C "$folder" --strip-components=5 \
    "package/bin/napi-v6/linux/$architecture/libonnxruntime.so.1"
  rm "$folder"/onnxruntime-node-*.tgz
fi
