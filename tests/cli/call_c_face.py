"""Calls a model through the C face of a shared library, and compares with results from NumPy.

    call_c_face.py LIBRARY PREFIX WEIGHTS DATA

DATA holds images.npy, logits.npy and probabilities.npy. Nothing is known of the model but its
prefix: everything else is read from PREFIX_model().
"""

import ctypes
import pathlib
import sys

import numpy

DTYPES = (numpy.float32, numpy.float64, numpy.int8, numpy.uint8, numpy.int32, numpy.int64,
          numpy.bool_)
POINTERS = ctypes.POINTER(ctypes.c_void_p)


class Tensor(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("dtype", ctypes.c_int), ("rank", ctypes.c_int),
                ("shape", ctypes.c_int64 * 8), ("bytes", ctypes.c_size_t),
                ("overwritten", ctypes.c_bool)]

    def array(self):
        return numpy.zeros(tuple(self.shape[:self.rank]), DTYPES[self.dtype])


class Model(ctypes.Structure):
    _fields_ = [
        ("name", ctypes.c_char_p),
        ("arena_bytes", ctypes.c_size_t), ("arena_alignment", ctypes.c_size_t),
        ("state_bytes", ctypes.c_size_t), ("state_alignment", ctypes.c_size_t),
        ("weights_file", ctypes.c_char_p), ("weights_bytes", ctypes.c_size_t),
        ("weights_alignment", ctypes.c_size_t), ("weights_hash", ctypes.c_uint64),
        ("input_count", ctypes.c_size_t), ("inputs", ctypes.POINTER(Tensor)),
        ("output_count", ctypes.c_size_t), ("outputs", ctypes.POINTER(Tensor)),
        ("parameter_count", ctypes.c_size_t), ("parameters", ctypes.POINTER(Tensor)),
        ("run", ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, POINTERS, POINTERS,
                                 ctypes.c_void_p)),
        ("bind", ctypes.CFUNCTYPE(None, ctypes.c_void_p, POINTERS)),
        ("reset", ctypes.CFUNCTYPE(None, ctypes.c_void_p)),
        ("open_weights", ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_char_p,
                                          ctypes.POINTER(ctypes.c_char_p))),
        ("close_weights", ctypes.CFUNCTYPE(None, ctypes.c_void_p))]


def pointers(arrays):
    return (ctypes.c_void_p * len(arrays))(*[array.ctypes.data for array in arrays])


def main():
    library, prefix, weights_path, data = sys.argv[1:]
    function = getattr(ctypes.CDLL(library), prefix + "_model")
    function.restype = ctypes.POINTER(Model)
    model = function().contents
    assert model.weights_bytes == pathlib.Path(weights_path).stat().st_size

    error = ctypes.c_char_p()
    assert model.open_weights(b"/nowhere", ctypes.byref(error)) is None
    assert error.value == b"the weights file cannot be opened for reading", error.value
    assert model.open_weights(b"/nowhere", None) is None
    weights = model.open_weights(weights_path.encode(), None)

    inputs = [model.inputs[i].array() for i in range(model.input_count)]
    outputs = {model.outputs[i].name.decode(): model.outputs[i].array()
               for i in range(model.output_count)}
    memory = numpy.zeros(model.arena_bytes + model.arena_alignment, numpy.uint8)
    arena = memory.ctypes.data + -memory.ctypes.data % model.arena_alignment
    images = numpy.load(pathlib.Path(data, "images.npy"))
    expected = {name: numpy.load(pathlib.Path(data, name + ".npy")) for name in outputs}
    for i, image in enumerate(images):
        inputs[0][:] = image
        model.run(weights, None, pointers(inputs), pointers(list(outputs.values())), arena)
        for name, found in outputs.items():
            numpy.testing.assert_allclose(found[0], expected[name][i], rtol=1e-5, atol=1e-4,
                                          err_msg=f"{name} of image {i}")
    model.close_weights(weights)
    print(len(images), "images")


main()
